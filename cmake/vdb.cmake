# The module that writes .vdb files: the one part in C++, built when OpenVDB is there and loaded at run time.
set(RILL_VDB AUTO CACHE STRING "Volumes as .vdb files: ON, OFF, or AUTO, when OpenVDB is there")
include(GNUInstallDirs)
target_include_directories(rill_io PRIVATE ${CMAKE_SOURCE_DIR}/src/vdb) # vdb_module.h
target_compile_definitions(rill_io PRIVATE RILL_LIBDIR="${CMAKE_INSTALL_LIBDIR}")
if(RILL_VDB AND NOT RILL_SANITIZE)
    include(CheckLanguage)
    check_language(CXX)
    find_path(OPENVDB_INCLUDE openvdb/openvdb.h)
    find_path(BOOST_INCLUDE boost/numeric/conversion/conversion_traits.hpp) # which its headers include
    find_library(OPENVDB_LIBRARY openvdb)
    find_library(TBB_LIBRARY tbb)
    if(CMAKE_CXX_COMPILER AND OPENVDB_INCLUDE AND BOOST_INCLUDE AND OPENVDB_LIBRARY AND TBB_LIBRARY)
        enable_language(CXX)
        # With default visibility: OpenVDB's templates have state that the module shares with the library; hidden
        # copies of half of it made openvdb::initialize fail.
        add_library(rill_vdb MODULE ${CMAKE_SOURCE_DIR}/src/vdb/vdb.cc)
        set_target_properties(rill_vdb PROPERTIES PREFIX "" CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON
            LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
        target_include_directories(rill_vdb SYSTEM PRIVATE ${OPENVDB_INCLUDE})
        target_compile_options(rill_vdb PRIVATE -Wall -Wextra $<$<BOOL:${RILL_WERROR}>:-Werror>)
        target_link_libraries(rill_vdb PRIVATE ${OPENVDB_LIBRARY} ${TBB_LIBRARY})
        include(GNUInstallDirs)
        install(TARGETS rill_vdb LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/rill)
    elseif(RILL_VDB STREQUAL "ON")
        message(FATAL_ERROR "RILL_VDB is ON, and OpenVDB was not found (libopenvdb-dev libboost-dev)")
    endif()
endif()
