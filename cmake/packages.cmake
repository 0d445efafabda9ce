# What `cpack` makes of a built tree: Debian packages rill, librill, librill-dev and python3-rill.
#
#   cmake --preset release && cmake --build --preset release --target product && (cd build/release && cpack)
#
# Parts of the installation that only packages have (python3-rill, the copyright files) are left out of
# `cmake --install`.
foreach(package rill librill librill-dev python3-rill)
    if(package STREQUAL rill)
        set(component program)
    elseif(package STREQUAL librill)
        set(component library)
    elseif(package STREQUAL librill-dev)
        set(component development)
    else()
        set(component python)
    endif()
    install(FILES NOTICE DESTINATION share/doc/${package} RENAME copyright COMPONENT ${component} EXCLUDE_FROM_ALL)
endforeach()
install(FILES README.md CHANGELOG.md DESTINATION share/doc/rill COMPONENT program EXCLUDE_FROM_ALL)
install(DIRECTORY docs/ DESTINATION share/doc/rill COMPONENT program EXCLUDE_FROM_ALL FILES_MATCHING PATTERN "*.md"
    PATTERN gallery EXCLUDE PATTERN images EXCLUDE)
install(DIRECTORY python/rill DESTINATION lib/python3/dist-packages COMPONENT python EXCLUDE_FROM_ALL ${python_files})
install(DIRECTORY python/examples DESTINATION share/doc/python3-rill COMPONENT python EXCLUDE_FROM_ALL
    FILES_MATCHING PATTERN "*.py" PATTERN __pycache__ EXCLUDE)
install(FILES docs/python.md DESTINATION share/doc/python3-rill COMPONENT python EXCLUDE_FROM_ALL)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME rill)
set(CPACK_PACKAGE_VENDOR "Rill")
set(CPACK_PACKAGE_CONTACT "The authors of Rill <rill@localhost>")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL program library development python)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)

set(version "(= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME rill)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION graphics)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "ffmpeg, python3-rill")
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "fluid animation: the program
 Simulates liquids and smoke described in JSON by five published methods, makes
 surfaces, pictures and figures, and resumes where it was stopped.")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME librill)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "fluid animation: the shared library
 Simulations, particles and surfaces for programs that use librill.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME librill-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "librill ${version}")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS
    "libembree-dev, libpng-dev, zlib1g-dev, libzstd-dev, libxxhash-dev") # of the static library
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "fluid animation: header and static library
 What programs that use librill are compiled with.")
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-rill)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3 (>= 3.8), librill ${version}")
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${CMAKE_SOURCE_DIR}/cmake/debian/prerm)
set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "python3-numpy")
set(CPACK_COMPONENT_PYTHON_DESCRIPTION "fluid animation: the Python package
 Simulations from Python, with NumPy views of their memory, and run folders.")
include(CPack)
