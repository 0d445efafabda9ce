# librill, shared and static, and what `cmake --install` puts where.
#
# Both hold every layer but the program's own. Only what include/rill/rill.h declares
# (RILL_API) can be linked to: hidden visibility does that for the shared library; the
# static one is a single object in which everything hidden has been made local, so that
# its names cannot meet those of the host.
# Debian's loader and its packages have libraries in a folder of the architecture, also below /usr/local.
if(EXISTS /etc/debian_version AND CMAKE_LIBRARY_ARCHITECTURE)
    set(CMAKE_INSTALL_LIBDIR lib/${CMAKE_LIBRARY_ARCHITECTURE} CACHE PATH "Libraries, below the prefix")
endif()
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(library_objects ${RILL_OBJECTS})
foreach(layer cli serve verify bench)
    list(REMOVE_ITEM library_objects $<TARGET_OBJECTS:rill_${layer}>)
endforeach()

# Before 1.0 a minor version may change the interface.
add_library(rill_shared SHARED ${library_objects})
set_target_properties(rill_shared PROPERTIES LINKER_LANGUAGE C OUTPUT_NAME rill EXPORT_NAME rill
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
target_link_libraries(rill_shared PRIVATE ${RILL_LIBRARIES})
target_include_directories(rill_shared INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
if(NOT RILL_SANITIZE) # whose runtime is the program's to bring
    target_link_options(rill_shared PRIVATE -Wl,--no-undefined)
endif()

add_custom_command(OUTPUT librill.o
    COMMAND ${CMAKE_LINKER} -r -o librill.o ${library_objects}
    COMMAND ${CMAKE_OBJCOPY} --localize-hidden librill.o
    DEPENDS ${library_objects} COMMAND_EXPAND_LISTS VERBATIM)
set_source_files_properties(librill.o PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
add_library(rill_static STATIC ${CMAKE_CURRENT_BINARY_DIR}/librill.o)
set_target_properties(rill_static PROPERTIES LINKER_LANGUAGE C OUTPUT_NAME rill)

# What the static library needs beside itself, for pkg-config and CMake alike.
set(RILL_STATIC_LIBS embree${RILL_EMBREE} png z zstd xxhash m pthread)
list(TRANSFORM RILL_STATIC_LIBS PREPEND -l OUTPUT_VARIABLE RILL_STATIC_FLAGS)
list(JOIN RILL_STATIC_FLAGS " " RILL_STATIC_FLAGS)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/rill)
# From the folder of rill.pc up to the prefix.
file(RELATIVE_PATH RILL_PC_UP /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(cmake/rill.pc.in rill.pc @ONLY)
configure_package_config_file(cmake/rillConfig.cmake.in rillConfig.cmake INSTALL_DESTINATION ${package_dir}
    PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(rillConfigVersion.cmake COMPATIBILITY SameMinorVersion)

# The manual page and completion come from the tables that parse the command line.
set(words ${CMAKE_BINARY_DIR}/words)
add_custom_command(OUTPUT ${words}/rill.1 ${words}/rill.bash ${words}/_rill ${words}/rill.fish
    COMMAND ${CMAKE_COMMAND} -E make_directory ${words}
    COMMAND rill completion man > ${words}/rill.1
    COMMAND rill completion bash > ${words}/rill.bash
    COMMAND rill completion zsh > ${words}/_rill
    COMMAND rill completion fish > ${words}/rill.fish
    DEPENDS rill VERBATIM)
add_custom_target(rill_words ALL DEPENDS ${words}/rill.1 ${words}/rill.bash ${words}/_rill ${words}/rill.fish)

# Components are packages: cmake/packages.cmake.
install(TARGETS rill RUNTIME COMPONENT program)
install(TARGETS rill_shared EXPORT rill LIBRARY COMPONENT library NAMELINK_COMPONENT development)
install(TARGETS rill_static ARCHIVE COMPONENT development)
install(EXPORT rill FILE rillTargets.cmake NAMESPACE rill:: DESTINATION ${package_dir} COMPONENT development)
install(DIRECTORY include/rill TYPE INCLUDE COMPONENT development)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/rill.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/rillConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/rillConfigVersion.cmake
    DESTINATION ${package_dir} COMPONENT development)
set(share ${CMAKE_INSTALL_DATADIR}/rill)
install(FILES docs/scene.schema.json docs/scene.md docs/api.md LICENSE NOTICE python/rill_run.py python/rill_blender.py
    DESTINATION ${share} COMPONENT program)
install(DIRECTORY scenes DESTINATION ${share} COMPONENT program)
# Beside the scripts, for those that have this folder in their path (Blender).
set(python_files FILES_MATCHING PATTERN "*.py" PATTERN py.typed PATTERN __pycache__ EXCLUDE PATTERN .mypy_cache EXCLUDE)
install(DIRECTORY python/rill DESTINATION ${share} COMPONENT program ${python_files})
install(FILES ${words}/rill.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
install(FILES ${words}/rill.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME rill
    COMPONENT program)
install(FILES ${words}/_rill DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT program)
install(FILES ${words}/rill.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT program)
