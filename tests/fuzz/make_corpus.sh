#!/bin/bash
# make_corpus.sh PROGRAM: writes the seeds of the scene and checkpoint targets into corpus/:
# the shapes of the scene format, and a checkpoint of every method. The checkpoint target's
# first byte says whether hashes are made right ("1") or not ("0").
set -eu
program=$(realpath "$1")
cd "$(dirname "$0")"
. ../robust/runs.bash
work=$(work_folder)
trap 'rm -rf "$work"' EXIT
mkdir -p corpus/scene corpus/checkpoint
for method in $(methods_of "$program"); do
    tiny_scene "$method" 2 false >"corpus/scene/tiny_$method.json"
    small_scene "$method" >"corpus/scene/small_$method.json"
    "$program" run "corpus/scene/tiny_$method.json" --out "$work/$method" --quiet >/dev/null
    { printf 1; cat "$work/$method/checkpoints/0002.rill"; } >"corpus/checkpoint/right_$method"
    { printf 0; cat "$work/$method/checkpoints/0002.rill"; } >"corpus/checkpoint/plain_$method"
done
cat >corpus/scene/shapes.json <<'END'
{"rill":1,"method":"sph","spacing":0.1,"domain":{"min":[0,0,0],"max":[1,1,1],"open":["+y","-x"]},
 "gravity":[0,-9.81,0],"fluid":{"density":900,"viscosity":0.01},
 "sph":{"kernel":"wendland","support":2.2},
 "liquid":[{"shape":{"union":[{"box":{"min":[0,0,0],"max":[0.4,0.4,0.4]}},{"sphere":{"center":[0.5,0.5,0.5],"radius":0.2}}]},
   "velocity":{"field":"rotation","angular_velocity":[0,1,0],"center":[0.5,0.5,0.5]}}],
 "drains":[{"shape":{"capsule":{"from":[0.8,0,0.5],"to":[0.8,0.3,0.5],"radius":0.1}}}],
 "solids":[{"name":"tube","slip":"none","shape":{"difference":[
   {"cylinder":{"from":[0.7,0,0.7],"to":[0.7,0.5,0.7],"radius":0.15}},
   {"cylinder":{"from":[0.7,0.1,0.7],"to":[0.7,0.6,0.7],"radius":0.1}}]},
   "transform":{"translate":[0.01,0,0],"rotate":[0,10,0],"scale":1.1}}],
 "camera":{"eye":[3,2,4],"target":[0.5,0.3,0.5],"fov":35},
 "surface":{"cell":0.6,"radius":2},
 "output":{"particles":true,"surface":false,"images":true,"width":64,"height":48,"look":"particles","color":"density"}}
END
"$program" validate corpus/scene/shapes.json
# Files that are not there: everything before they are looked for.
cat >corpus/scene/meshes.json <<'END'
{"rill":1,"spacing":0.1,"domain":{"min":[0,0,0],"max":[1,1,1]},
 "liquid":[{"shape":{"box":{"min":[0,0,0],"max":[0.4,0.4,0.4]}}}],
 "solids":[{"name":"bag","slip":"none","shape":{"sequence":{"files":"none/bag_%03d.ply","first":1,"last":24,
     "fps":24,"start":-0.5,"shell":0.01,"holes":true,"z_up":true,"scale":0.01,"hash":"0123456789abcdef"}},
   "motion":{"keyframes":[{"t":0},{"t":1,"rotate":[0,90,0]}],"smooth":true,"pivot":[0.1,0,0]}},
  {"shape":{"union":[{"mesh":{"file":"none/rock.obj","holes":true,"shell":0.1,"scale":2,"z_up":true}},
     {"sphere":{"center":[0.5,0.5,0.5],"radius":0.1}}]}}]}
END
