# What the installed files contain of other projects, and the texts of their licences: share/doc/<package>/copyright,
# a file for each package of install/CMakeLists.txt. By this name Debian's small images keep it when they drop the
# rest of share/doc.
#
# Texts are taken from where the code was: Debian's packages, the sources of the libraries that are built here, npm's
# packages.
# tests/install/licences_test.py asks the compiler and the linker what is in the files, and demands the texts.

# levelfield_contains(<component> <what> <text>...): a text is a file, or debian:<package>, its copyright file; of one
# as large as Boost's debian:<package>:<licence>, that licence alone. The package may be a pattern.
function(levelfield_contains component what)
  set_property(GLOBAL APPEND PROPERTY LEVELFIELD_LICENCES_${component} "${what}")
  set_property(GLOBAL PROPERTY "LEVELFIELD_LICENCE_TEXTS_${component}_${what}" "${ARGN}")
endfunction()

foreach(component levelfield mpi)
  levelfield_contains(${component} "{fmt}" debian:libfmt-dev)
  levelfield_contains(${component} "JSON for Modern C++" debian:nlohmann-json3-dev)
  levelfield_contains(${component} "CLI11" debian:libcli11-dev)
  levelfield_contains(${component} "Boost" debian:libboost[0-9]*-dev:BSL-1.0)
  levelfield_contains(${component} "zlib" debian:zlib1g-dev)
endforeach()
levelfield_contains(levelfield "muParser" debian:libmuparser-dev)
levelfield_contains(levelfield "libfuse" debian:libfuse3-dev)
levelfield_contains(levelfield "Nettle" debian:nettle-dev)
levelfield_contains(levelfield "Observable Plot and D3, in report.html" ${LEVELFIELD_PAGE}/licences.txt)
levelfield_contains(levelfield "LevelDB, its cache" ${LEVELFIELD_LEVELDB_ROOT}/LICENSE)
if(TARGET levelfield_cache_rocksdb_lru)
  levelfield_contains(levelfield "RocksDB, its caches" ${LEVELFIELD_ROCKSDB_CACHES}/LICENSE.Apache
    ${LEVELFIELD_ROCKSDB_CACHES}/LICENSE.leveldb ${LEVELFIELD_ROCKSDB_CACHES}/LICENSE.xxhash)
endif()

levelfield_contains(mpi "Open MPI" debian:libopenmpi-dev)

if(LEVELFIELD_TESTS)  # The claims of conformance.
  levelfield_contains(levelfield "GoogleTest" debian:libgtest-dev)
  levelfield_contains(levelfield "RapidCheck" debian:librapidcheck-dev)
endif()

levelfield_contains(leveldb "LevelDB" ${LEVELFIELD_LEVELDB_ROOT}/LICENSE)
levelfield_contains(leveldb "crc32c" ${LEVELFIELD_LEVELDB_ROOT}/LICENSE.crc32c)
levelfield_contains(leveldb "Snappy" debian:libsnappy-dev)
levelfield_contains(sqlite3 "SQLite" ${LEVELFIELD_sqlite3_ROOT}/LICENSE)
levelfield_contains(treedb "Kyoto Cabinet" debian:libkyotocabinet-dev)
levelfield_contains(lmdb "LMDB" ${LEVELFIELD_lmdb_ROOT}/LICENSE)
levelfield_contains(berkeleydb "Berkeley DB" debian:libdb5.3-dev)
levelfield_contains(redis "hiredis" debian:libhiredis-dev)
levelfield_contains(wiredtiger "WiredTiger" debian:libwiredtiger-dev)
if(EXISTS ${LEVELFIELD_wiredtiger_ROOT}/LICENSE)
  levelfield_contains(wiredtiger "WiredTiger, as it is in the plug-in" ${LEVELFIELD_wiredtiger_ROOT}/LICENSE)
endif()
# The release binary has its compressors in it; what `make rocksdb` builds takes the distribution's.
levelfield_contains(rocksdb "RocksDB, with parts of LevelDB and PerconaFT" debian:librocksdb-dev
  ${LEVELFIELD_LEVELDB_ROOT}/LICENSE)
levelfield_contains(rocksdb "xxHash, in RocksDB" debian:libxxhash0)
levelfield_contains(rocksdb "Snappy" debian:libsnappy-dev)
levelfield_contains(rocksdb "LZ4" debian:liblz4-1)
levelfield_contains(rocksdb "Zstandard" debian:libzstd1)
levelfield_contains(rocksdb "zlib" debian:zlib1g-dev)
levelfield_contains(rocksdb "bzip2" debian:libbz2-1.0)

levelfield_contains(system "LevelDB" debian:libleveldb-dev)
levelfield_contains(system "RocksDB" debian:librocksdb-dev)
levelfield_contains(system "SQLite" debian:libsqlite3-dev)
levelfield_contains(system "LMDB, and its line 0.9" debian:liblmdb-dev ${LEVELFIELD_lmdb_ROOT}/LICENSE)
levelfield_contains(system "WiredTiger" debian:libwiredtiger-dev)

# A wheel brings the shared libraries that its files need. scripts/check_wheels.py demands the texts.
if(SKBUILD)
  levelfield_contains(levelfield "libgomp, which muParser needs" debian:libgomp1)
  levelfield_contains(treedb "LZO" debian:liblzo2-2)
  levelfield_contains(treedb "liblzma" debian:liblzma5)
  if(EXISTS ${LEVELFIELD_wiredtiger_ROOT}/LICENSE)
    levelfield_contains(wiredtiger "Snappy" debian:libsnappy-dev)
  endif()
  set(wheel_sources "
The shared libraries in the directory *.libs are Debian's, unchanged but for their names and the paths where they find
each other. Debian's archive has the source of each, by the names and versions below.
")
endif()

# What the text says, or nothing where this machine does not have it.
function(levelfield_read_text text result)
  set(places ${text})
  set(licence "")
  if(text MATCHES "^debian:([^:]*):?(.*)$")
    # Headers that were taken out of a package have its licence beside them (scripts/fetch_headers.sh).
    set(licence "${CMAKE_MATCH_2}")
    file(GLOB places ${fetched_headers}/licences/${CMAKE_MATCH_1} /usr/share/doc/${CMAKE_MATCH_1}/copyright)
  endif()
  set(${result} "" PARENT_SCOPE)
  foreach(place ${places})
    if(EXISTS "${place}")
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${place}")
      file(READ "${place}" content)
      if(licence)
        string(FIND "${content}" "\nLicense: ${licence}\n " begin)  # Ends at the first empty line.
        string(SUBSTRING "${content}" ${begin} -1 content)
        string(FIND "${content}" "\n\n" end)
        string(SUBSTRING "${content}" 1 ${end} content)
      endif()
      set(${result} "${content}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

# In a wheel, "source: kyotocabinet 1.2.79-2" and a line's end, of an installed package of Debian.
function(levelfield_source_of text result)
  set(source "")
  if(SKBUILD AND text MATCHES "^debian:([^:]*)")
    execute_process(COMMAND dpkg-query --show "--showformat=\\nsource: \${source:Package} \${source:Version}\\n"
      ${CMAKE_MATCH_1} OUTPUT_VARIABLE source ERROR_QUIET)
  endif()
  set(${result} "${source}" PARENT_SCOPE)
endfunction()

# Debian's files name common licences by their file there. Other systems do not have it, so it follows behind.
function(levelfield_common_licences copyright result)
  string(REGEX MATCHALL "/usr/share/common-licenses/[-A-Za-z0-9.]*[A-Za-z0-9]" names "${copyright}")
  set(files "")
  foreach(name ${names})
    file(REAL_PATH "${name}" file)  # GPL is GPL-3.
    if(EXISTS "${file}")
      list(APPEND files "${file}")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES files)
  list(SORT files)
  set(${result} ${files} PARENT_SCOPE)
endfunction()

# levelfield_install_copyright(<component> <package> <about>): <about> is the text before the licences.
function(levelfield_install_copyright component package about)
  string(REPEAT "=" 100 line)
  file(READ ${CMAKE_SOURCE_DIR}/LICENSE own)
  set(copyright "${about}\n${wheel_sources}\n${line}\nLevelfield\n${line}\n\n${own}")
  get_property(contents GLOBAL PROPERTY LEVELFIELD_LICENCES_${component})
  set(missing "")
  foreach(what ${contents})
    string(APPEND copyright "\n${line}\n${what}\n${line}\n")
    get_property(texts GLOBAL PROPERTY "LEVELFIELD_LICENCE_TEXTS_${component}_${what}")
    foreach(text ${texts})
      levelfield_read_text("${text}" licence)
      levelfield_source_of("${text}" source)
      string(APPEND copyright "${source}")
      if(licence)
        string(APPEND copyright "\n${licence}")
      else()
        string(APPEND copyright "\nThe text of its licence (${text}) was not on the machine that built this.\n")
        list(APPEND missing "${what} (${text})")
      endif()
    endforeach()
  endforeach()
  levelfield_common_licences("${copyright}" files)
  foreach(file ${files})
    file(READ "${file}" licence)
    string(APPEND copyright "\n${line}\n${file}\n${line}\n\n${licence}")
  endforeach()
  file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/copyright/${package} "${copyright}")
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/copyright/${package} RENAME copyright
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} COMPONENT ${component})
  if(missing)
    list(JOIN missing ", " missing)
    install(CODE "message(WARNING \"${package} lacks licences, so do not pass it on: ${missing}\")"
      COMPONENT ${component})
  endif()
endfunction()
