# find_package(levelfield) gives one function, which builds a plug-in of an engine, levelfield_<name>.so:
#
#   levelfield_engine(mine SOURCE mine.cc LIBRARIES minelib)
#
# Its one symbol is exported, its others are bound to itself, and a library that is missing fails the build.
get_filename_component(LEVELFIELD_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

function(levelfield_engine name)
  cmake_parse_arguments(ENGINE "" "SOURCE" "LIBRARIES;DEFINITIONS;INCLUDES" ${ARGN})
  add_library(levelfield_${name} MODULE ${ENGINE_SOURCE})
  target_compile_features(levelfield_${name} PRIVATE cxx_std_20)
  target_include_directories(levelfield_${name} PRIVATE ${LEVELFIELD_PREFIX}/include
    ${LEVELFIELD_PREFIX}/include/levelfield ${ENGINE_INCLUDES})
  target_compile_definitions(levelfield_${name} PRIVATE ${ENGINE_DEFINITIONS})
  target_compile_options(levelfield_${name} PRIVATE -fvisibility=hidden -fno-semantic-interposition)
  target_link_options(levelfield_${name} PRIVATE -Wl,-Bsymbolic -Wl,-z,defs
    -Wl,--version-script=${LEVELFIELD_PREFIX}/share/levelfield/plugin.map)
  target_link_libraries(levelfield_${name} PRIVATE ${ENGINE_LIBRARIES})
  set_target_properties(levelfield_${name} PROPERTIES PREFIX "" POSITION_INDEPENDENT_CODE ON)
endfunction()
