"""Builds the wheel of the package rill with Python's standard library alone (PEP 517), so that `pip install .` works
without a network. When build/release has librill, it goes into the wheel, beside the package.
"""
import base64
import hashlib
import os
import re
import sysconfig
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PACKAGE = os.path.join(ROOT, "python", "rill")
LIBRARY = "librill.so.0.2"


def _version():
    with open(os.path.join(ROOT, "include", "rill", "rill.h"), encoding="utf-8") as f:
        return re.search(r'#define RILL_VERSION "([^"]+)"', f.read())[1]


def _library():
    path = os.path.join(ROOT, "build", "release", LIBRARY)
    return path if os.path.exists(path) else None


def _tag():
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return f"py3-none-{platform}" if _library() else "py3-none-any"


def _metadata():
    with open(os.path.join(ROOT, "docs", "python.md"), encoding="utf-8") as f:
        readme = f.read()
    return (f"Metadata-Version: 2.1\nName: rill\nVersion: {_version()}\nSummary: Rill, a fluid animation system\n"
            "Requires-Python: >=3.8\nProvides-Extra: arrays\nRequires-Dist: numpy ; extra == 'arrays'\n"
            f"Description-Content-Type: text/markdown\n\n{readme}")


def _files(editable):
    """Names in the wheel and their contents."""
    if editable:
        yield "rill.pth", (os.path.join(ROOT, "python") + "\n").encode()
        return
    for name in sorted(os.listdir(PACKAGE)):
        if name.endswith(".py") or name == "py.typed":
            with open(os.path.join(PACKAGE, name), "rb") as f:
                yield "rill/" + name, f.read()
    library = _library()
    if library:
        with open(library, "rb") as f:
            yield "rill/" + LIBRARY, f.read()


def _wheel(folder, editable=False):
    tag = "py3-none-any" if editable else _tag()
    name = f"rill-{_version()}-{tag}.whl"
    info = f"rill-{_version()}.dist-info"
    wheel = f"Wheel-Version: 1.0\nGenerator: rill\nRoot-Is-Purelib: {'true' if tag.endswith('any') else 'false'}\nTag: {tag}\n"
    record = []
    with zipfile.ZipFile(os.path.join(folder, name), "w", zipfile.ZIP_DEFLATED) as out:
        def add(path, data):
            out.writestr(zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append(f"{path},sha256={digest},{len(data)}")

        for path, data in _files(editable):
            add(path, data)
        with open(os.path.join(ROOT, "LICENSE"), "rb") as f:
            add(f"{info}/LICENSE", f.read())
        add(f"{info}/METADATA", _metadata().encode())
        add(f"{info}/WHEEL", wheel.encode())
        out.writestr(f"{info}/RECORD", "\n".join(record + [f"{info}/RECORD,,", ""]))
    return name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    return _wheel(wheel_directory)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    return _wheel(wheel_directory, editable=True)


def build_sdist(sdist_directory, config_settings=None):
    raise NotImplementedError("build from the tree: pip install .")
