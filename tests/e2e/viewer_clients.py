"""viewer_clients.py PROGRAM SCENE: the viewer's server against clients that are many, slow, rude or gone; a folder
that disappears under it; and its own end, which must not touch the run it has started. The last line counts."""
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

program, scene = sys.argv[1:3]
work = tempfile.mkdtemp(prefix="rill_viewer_")
passed = failed = 0
PATIENCE = 120  # s, for a loaded machine


def check(name, holds):
    global passed, failed
    if holds:
        passed += 1
    else:
        failed += 1
        print("FAIL:", name)


def until(question, seconds=PATIENCE):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if question():
            return True
        time.sleep(0.05)
    return False


class Viewer:
    """rill view, and its address."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen([program, "view", "--no-open", *arguments], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip()
        self.host, self.port, self.path = re.match(r"http://([\d.]+):(\d+)(/\w+/)$", self.address).groups()
        self.port = int(self.port)

    def get(self, rest, **headers):
        with urllib.request.urlopen(urllib.request.Request(self.address + rest, headers=headers), timeout=PATIENCE) as r:
            return r.read()

    def code(self, rest, method="GET", **headers):
        try:
            request = urllib.request.Request(self.address + rest, method=method, headers=headers)
            with urllib.request.urlopen(request, timeout=PATIENCE) as r:
                r.read()
                return r.status
        except urllib.error.HTTPError as error:
            return error.code

    def index(self):
        return json.loads(self.get("run/0/index.json"))

    def connect(self):
        s = socket.create_connection((self.host, self.port), timeout=PATIENCE)
        return s

    def end(self):
        self.process.send_signal(signal.SIGINT)
        _, said = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, said


def request(viewer, rest):
    return f"GET {viewer.path}{rest} HTTP/1.1\r\nHost: {viewer.host}:{viewer.port}\r\n\r\n".encode()


def many_clients(viewer):
    """200 at a time, each with several requests on one connection."""
    good = []

    def client(k):
        try:
            s = viewer.connect()
            for rest in ("run/0/index.json", f"run/0/frame/particles/{k % 3}/speed", "run/0/stats/0"):
                s.sendall(request(viewer, rest))
                head = b""
                while b"\r\n\r\n" not in head:
                    head += s.recv(65536)
                head, body = head.split(b"\r\n\r\n", 1)
                length = int(re.search(rb"Content-Length: (\d+)", head).group(1))
                while len(body) < length:
                    body += s.recv(65536)
                if not head.startswith(b"HTTP/1.1 200"):
                    return
            s.close()
            good.append(k)
        except (OSError, AttributeError):
            pass

    threads = [threading.Thread(target=client, args=(k,)) for k in range(200)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    check("200 clients", len(good) == 200)


def slow_readers(viewer):
    """100 that ask and never read do not keep others from an answer."""
    slow = []
    for k in range(100):
        s = viewer.connect()
        s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        s.sendall(request(viewer, f"run/0/frame/particles/{k % 3}"))
        slow.append(s)
    check("others are answered", viewer.code("run/0/index.json") == 200 and viewer.code("app.js") == 200)
    for s in slow[::2]:
        s.close()
    check("after they hang up", viewer.code("run/0/frame/particles/1") == 200)
    for s in slow[1::2]:
        s.close()


def rude_clients(viewer):
    for bytes_sent in (b"\0" * 1000, b"GET " + b"A" * 100000, b"POST / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\nx",
                       b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 5000, request(viewer, "../../etc/passwd"),
                       request(viewer, "%2e%2e/%2e%2e/etc/passwd"), request(viewer, "run/0/index.json%00.png")):
        s = viewer.connect()
        s.settimeout(3)  # the server waits a minute for the rest of a request
        try:
            s.sendall(bytes_sent)
            s.shutdown(socket.SHUT_WR)
            answer = s.recv(4096)
            check("refused", b"200 OK" not in answer and b"root:" not in answer)
        except OSError:
            check("cut off, or no answer", True)
        s.close()
    check("it goes on", viewer.code("run/0/index.json") == 200)
    check("another host", viewer.code("", Host="evil.example") == 403)
    check("another origin", viewer.code("run/0/index.json", Origin="http://evil.example") == 403)
    check("a stop from elsewhere", viewer.code("run/0/stop", "POST", Origin="http://evil.example") == 403)
    check("a stop of nothing", viewer.code("run/0/stop", "POST", Origin=viewer.address.rsplit("/", 2)[0]) == 409)
    with urllib.request.urlopen(viewer.address) as r:
        check("headers", r.headers["X-Frame-Options"] == "DENY" and "default-src 'none'" in r.headers["Content-Security-Policy"]
              and r.headers["X-Content-Type-Options"] == "nosniff" and r.headers["Referrer-Policy"] == "no-referrer")


def listens_at_home_only(viewer):
    listed = open("/proc/net/tcp").read()
    mine = [line.split()[1] for line in listed.splitlines()[1:] if line.split()[1].endswith(":%04X" % viewer.port) and line.split()[3] == "0A"]
    check("loopback alone", mine == ["0100007F:%04X" % viewer.port])


def folder_disappears(viewer, folder):
    os.rename(folder, folder + ".away")
    check("it is missed", until(lambda: viewer.index()["status"] == "missing"))
    check("a frame of it", viewer.code("run/0/frame/particles/0") == 404)
    os.rename(folder + ".away", folder)
    check("it is back", until(lambda: viewer.index()["status"] == "finished") and viewer.code("run/0/frame/particles/0") == 200)
    with open(os.path.join(folder, "frames", "particles_0001.ply"), "r+b") as f:
        f.truncate(1000)
    check("a frame cut off", viewer.code("run/0/frame/particles/1") == 404)


def run_outlives_the_viewer():
    """SIGINT, and SIGKILL: the run it started goes on to its end, with the bits of a run by itself."""
    alone = os.path.join(work, "alone")
    subprocess.run([program, "run", scene, "--out", alone, "--quiet", "--threads", "1"], check=True, stdout=subprocess.DEVNULL)
    for how in (signal.SIGINT, signal.SIGKILL):
        folder = os.path.join(work, f"watched_{int(how)}")
        viewer = Viewer(scene, "--out", folder, "--threads", "1")
        check("it starts", until(lambda: viewer.index()["status"] in ("running", "finished")))
        viewer.process.send_signal(how)
        viewer.process.wait(timeout=PATIENCE)
        last = os.path.join(folder, "frames", "particles_0012.ply")
        check(f"the run ends after signal {int(how)}", until(lambda: os.path.exists(last)))
        same = [open(os.path.join(d, "frames", "particles_0012.ply"), "rb").read() for d in (alone, folder)]
        check("the same bits", same[0] == same[1])
    return alone


try:
    folder = run_outlives_the_viewer()
    viewer = Viewer(folder)
    listens_at_home_only(viewer)
    many_clients(viewer)
    slow_readers(viewer)
    rude_clients(viewer)
    folder_disappears(viewer, folder)
    code, _ = viewer.end()
    check("it ends by Ctrl-C", code == 0)
    check("a folder without a run", subprocess.run([program, "view", work], capture_output=True).returncode == 4)
    check("a run is not replaced", subprocess.run([program, "view", scene, "--out", folder], capture_output=True).returncode == 2)
finally:
    shutil.rmtree(work, ignore_errors=True)
print(f"viewer clients: {passed} passed, {failed} failed")
sys.exit(1 if failed else 0)
