#!/usr/bin/env python3
"""That run.py sees what it is there to see: cases that must fail, fail, and say why."""
import os
import subprocess
import sys
import tempfile
import unittest

RUN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "run.py")
RESULT = """every case
  file r/manifest.json
    {"settings": {"num": "300"}}
  file r/results.jsonl
    {"type": "phase", "run": 0, "workload": "fillseq", "roles": [{"lanes": [{"operation": "put", "operations": 300}]}]}
    {"type": "phase", "run": 0, "workload": "readseq", "roles": [{"lanes": [{"operation": "put", "operations": 299}]}]}
    {"type": "run", "run": 0, "engine": "lmdb"}
"""


class ARun(unittest.TestCase):
    def run_cases(self, text, *words, sanitizers=""):
        with tempfile.TemporaryDirectory() as directory:
            with open(directory + "/sanitizers", "w", encoding="utf-8") as file:
                file.write(sanitizers)
            path = directory + "/some.case"
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            process = subprocess.run([sys.executable, RUN, "--build=" + directory, path, *words], text=True,
                                     capture_output=True, check=False)
        return process.returncode, process.stdout + process.stderr

    def assert_passes(self, steps, prelude=""):
        code, said = self.run_cases(prelude + "Some.case\n" + steps)
        self.assertEqual((code, said), (0, "Some.case: ok \n"))

    def assert_fails(self, steps, *says, prelude="", code=1):
        came, said = self.run_cases(prelude + "Some.case\n" + steps)
        self.assertEqual(came, code, said)
        for text in says:
            self.assertIn(text, said)

    def test_tells_the_command_what_was_expected_what_came_and_how_to_run_it_again(self):
        self.assert_fails("  $ echo one two; echo three >&2\n  > one three\n",
                          "line 3: expected on standard output, as a text: one three\nthere was none",
                          "--- command:\necho one two; echo three >&2\n",
                          "--- standard output:\none two\n\n--- standard error:\nthree\n",
                          "run.py --keep --build=", "some.case Some.case")

    def test_expects_texts_in_their_order(self):
        self.assert_passes("  $ echo a b; echo c\n  > a\n  > c\n")
        self.assert_passes("  $ echo a b; echo c\n  > a b c\n")
        self.assert_fails("  $ echo a; echo b\n  > b\n  > a\n", "it came earlier than what is expected before it")

    def test_knows_wildcards(self):
        self.assert_passes("  $ echo '1,234.5 micros/op (x)'\n  = <number> micros... ({{[x-z]}})\n")
        self.assert_fails("  $ echo 'many micros'\n  > <number> micros\n", "<number> micros")
        self.assert_fails("  $ printf 'a\\nb\\n'\n  > a...b\n", "a...b")

    def test_expects_whole_lines_as_they_are(self):
        self.assert_passes("  $ echo 'a  b'\n  = a  b\n")
        self.assert_fails("  $ echo 'a  b'\n  = a b\n", "as a line: a b")
        self.assert_fails("  $ echo 'a b c'\n  = a b\n", "as a line: a b")

    def test_sees_what_must_not_come(self):
        self.assert_fails("  $ echo 'no, it fails'\n  ! fails\n", "not expected on standard output: fails")
        self.assert_fails("  $ echo no >&2\n  2! no\n", "not expected on standard error: no")
        self.assert_fails("  $ echo a\n  2> a\n", "expected on standard error")

    def test_expects_exit_codes(self):
        self.assert_passes("  $ exit 3\n  exits 0 or 3\n")
        self.assert_fails("  $ exit 1\n", "expected exit code: 0\nit was: 1")
        self.assert_fails("  $ exit 0\n  exits 1\n", "expected exit code: 1\nit was: 0")
        self.assert_fails("  $ false; true\n", "it was: 1")
        self.assert_fails("  $ kill -KILL $$\n", "it was: 137")

    def test_checks_what_a_result_holds(self):
        self.assert_passes('  check lane("fillseq", "lmdb").operations == 300 and manifest.settings["num"] == "300"\n',
                           prelude=RESULT)
        self.assert_fails('  check for phase in phases: phase.roles[0].lanes[0].operations == 300\n',
                          "it is false", "phase.roles[0].lanes[0].operations is 299", prelude=RESULT)
        self.assert_fails('  check run("leveldb").outcome == "ok"\n', "StopIteration", prelude=RESULT)
        self.assert_fails("  check runs[0].outcome\n", "no member outcome among type, run, engine", prelude=RESULT)

        self.assert_fails('  check for phase in phases_of("fillseq", "readrandom"): phase.lane\n',
                          "no phase readrandom", prelude=RESULT)

    def test_takes_a_loop_over_nothing_for_a_failure(self):
        self.assert_fails("  check for word in []: word\n", "there is nothing to check")

    def test_reads_conditions_and_functions_of_python(self):
        self.assert_passes("  python\n    def twice(text):\n      return 2 * text\n"
                           "  check for text in ('a: b', 'c'): twice(text) == text + text\n")
        self.assert_fails("  check 1 +\n", "SyntaxError")

    def test_compares_with_what_came_before(self):
        self.assert_passes("  $ echo 5\n  let first = numbers('([0-9]+)')\n  $ echo 5\n"
                           "  check numbers('([0-9]+)') == first == [5]\n")

    def test_makes_a_case_of_each_row(self):
        text = "Some.case\n  each name | says\n    one | 1\n    two | 2\n  each x in a b\n  $ echo <name> <says> <x>\n  = two 2 b\n"
        code, said = self.run_cases(text)
        self.assertEqual(code, 1)
        self.assertIn("Some.case/one/a: failed", said)
        self.assertIn("Some.case/two/b: ok", said)
        self.assertEqual(self.run_cases(text, "*/two/b"), (0, "Some.case/two/b: ok \n"))

    def test_lists_names_seconds_and_labels(self):
        code, said = self.run_cases("Some.case\n  each x in a b\n  time 9\n  label nightly\n", "--list")
        self.assertEqual(code, 0)
        self.assertEqual([line.split("|")[1:] for line in said.split()],
                         [["Some.case/a", "9", "nightly"], ["Some.case/b", "9", "nightly"]])

    def test_runs_cases_of_each_engine_for_other_engines(self):
        text = ("Some.case\n  each engine in a b\n  each x in c\n"
                "  $ readlink ../engines/levelfield_<engine>.so\n  > /more_engines/levelfield_<engine>.so\n")
        self.assertEqual(self.run_cases(text, "--engines=d,e"), (0, "Some.case/d/c: ok \nSome.case/e/c: ok \n"))
        self.assertEqual(self.run_cases(text)[0], 1)

    def test_runs_cases_of_one_label(self):
        code, said = self.run_cases("Some.case\n  label a\n  $ true\nSome.other\n  $ false\n", "--label=a")
        self.assertEqual((code, said), (0, "Some.case: ok \n"))

    def test_gives_a_sanitized_build_six_times_as_long(self):
        for sanitizers, seconds in ("", 9), ("thread", 54):
            code, said = self.run_cases("Some.case\n  time 9\n  $ true\n", "--list", sanitizers=sanitizers)
            self.assertEqual((code, said.split("|")[1:]), (0, ["Some.case", str(seconds), "end_to_end\n"]))

    def test_skips_with_a_reason(self):
        self.assert_fails("  needs a snake: false\n  $ false\n", "Some.case: skipped needs a snake", code=77)
        self.assert_passes("  needs air: true\n  $ true\n")

    def test_ends_what_takes_too_long(self):
        self.assert_fails("  time 1\n  $ sleep 60\n", "took longer than 1 s")

    def test_sees_processes_that_are_left(self):
        self.assert_fails("  $ sleep 60 &\n", "left running: ")

    def test_begins_in_an_empty_directory_with_the_files_that_are_given(self):
        self.assert_passes("  check listing() == []\n  file a/b.txt\n    one\n\n      two\n  $ cat a/b.txt\n"
                           "  check out == 'one\\n\\n  two\\n' and listing() == ['a', 'a/b.txt']\n")

    def test_refuses_what_it_cannot_read(self):
        for text in ("  $ true\n", "Some.case\n  run it\n", "Some.case\n   $ true\n", "Some.case\nSome.case\n",
                     "Some.case\n  each a | b\n    1 | 2 | 3\n", "Some.case\n  each a\n    1\n    1\n", "# Nothing.\n"):
            self.assertEqual(self.run_cases(text)[0], 2, text)


if __name__ == "__main__":
    unittest.main()
