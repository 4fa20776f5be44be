//! abi.rs has each member of the header at its place: a program in C tells where they are.

use levelfield_engine::abi::*;
use std::mem::{offset_of, size_of};
use std::process::Command;

macro_rules! places {
    ($($member:ident)*) => {
        vec![$((stringify!($member), offset_of!(lf_engine, $member))),*]
    };
}

#[test]
fn every_member_is_where_c_has_it() {
    let ours = places!(struct_bytes name summary license capabilities options durabilities load
        describe last_error open close begin_session end_session get put erase write seek next prev
        sync compact size_on_disk property properties counters recognize destroy repair
        compact_range approximate_bytes take_snapshot release_snapshot get_at merge multi_get
        delete_range flush wait_for_background backup restore verify_checksums begin_transaction
        get_for_update commit_transaction roll_back_transaction new_iterator activities overridden
        alternatives in_force last_error_is_damage compact_level processes round_trip submit poll);
    let mut program = String::from(
        "#include <levelfield/engine_abi.h>\n#include <stdio.h>\nint main(void) {\n",
    );
    for (member, _) in &ours {
        program += &format!("printf(\"%zu\\n\", offsetof(lf_engine, {member}));\n");
    }
    for structure in ["lf_engine", "lf_option", "lf_entry", "lf_alternative", "lf_durability"] {
        program += &format!("printf(\"%zu\\n\", sizeof({structure}));\n");
    }
    program += "return 0;\n}\n";
    let directory = std::env::temp_dir().join(format!("levelfield_header_{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let (source, binary) = (directory.join("places.c"), directory.join("places"));
    std::fs::write(&source, program).unwrap();
    let include = concat!(env!("CARGO_MANIFEST_DIR"), "/../../include");
    let compiled = Command::new("cc").arg("-I").arg(include).arg("-o").arg(&binary).arg(&source).status();
    assert!(compiled.unwrap().success());
    let told = Command::new(&binary).output().unwrap().stdout;
    std::fs::remove_dir_all(&directory).unwrap();
    let theirs: Vec<usize> =
        String::from_utf8(told).unwrap().lines().map(|line| line.parse().unwrap()).collect();
    for ((member, place), their) in ours.iter().zip(&theirs) {
        assert_eq!(place, their, "{member}");
    }
    let sizes = [size_of::<lf_engine>(), size_of::<lf_option>(), size_of::<lf_entry>(), size_of::<lf_alternative>(), size_of::<lf_durability>()];
    assert_eq!(sizes, theirs[ours.len()..]);
}
