"""Inside Blender, in a file that blender_read.py saved: -- SOURCE RUN. The liquid still follows the timeline."""
import os
import sys

import bpy

source, run_folder = sys.argv[sys.argv.index("--") + 1:]
sys.path.insert(0, os.path.join(source, "python"))
import rill_run  # the reader alone: what follows the timeline comes from the file

run = rill_run.RunFolder(run_folder)
liquid = next(item for item in bpy.data.objects if item.get("rill_run"))
for frame in (2, 0, 3):
    bpy.context.scene.frame_set(frame + 1)
    if len(liquid.data.vertices) != len(run.surface(frame)):
        print("frame %d: %d vertices, not %d" % (frame, len(liquid.data.vertices), len(run.surface(frame))))
        sys.exit(1)
print("follows")
