# Shared by the scripts that compare runs: a small scene with everything a run writes,
# and a comparison of two run folders.

# small_scene METHOD: some hundred particles, an emitter of varying speed, a moving solid, a pre-roll, gauges, images.
small_scene() {
    cat <<END
{ "rill": 1, "name": "small", "method": "$1", "spacing": 0.08,
  "domain": { "min": [0, 0, 0], "max": [1.2, 0.8, 0.48], "open": ["+y"] },
  "time": { "frames": 12, "fps": 40, "preroll": 0.06 },
  "liquid": [ { "shape": { "box": { "min": [0, 0, 0], "max": [0.5, 0.6, 0.48] } } } ],
  "emitters": [ { "shape": { "disc": { "center": [0.9, 0.7, 0.24], "normal": [0, -1, 0], "radius": 0.16 } },
                  "speed": { "keyframes": [ { "t": 0, "value": 1 }, { "t": 0.2, "value": 3 } ] },
                  "start": -0.02, "end": 5 } ],
  "solids": [ { "name": "post", "shape": { "box": { "min": [0.7, 0, 0.16], "max": [0.78, 0.3, 0.32] } },
                "motion": { "pivot": [0.74, 0, 0.24], "keyframes": [ { "t": 0 }, { "t": 0.3, "translate": [0.1, 0, 0],
                                                                               "rotate": [0, 180, 20] } ] } } ],
  "gauges": [ { "name": "P", "pressure": [1.15, 0.05, 0.24] }, { "name": "H", "height": [0.4, 0.24] } ],
  "output": { "width": 96, "height": 64, "checkpoint": 2, "video": false } }
END
}

# Statistics without what a clock measured.
without_clock() {
    sed -E 's/"wall_s":[^,]*,//; s/"stage_s":\{[^}]*\}//' "$1"
}

# same_run A B: says what differs and fails when anything does.
same_run() {
    local differs=0
    diff -rq "$1/frames" "$2/frames" || differs=1
    diff -rq "$1/images" "$2/images" || differs=1
    cmp "$1/gauges.csv" "$2/gauges.csv" || differs=1
    cmp "$1/scene.json" "$2/scene.json" || differs=1
    cmp <(without_clock "$1/stats.jsonl") <(without_clock "$2/stats.jsonl") || differs=1
    if [ -n "$(find "$2" -name '.*.tmp')" ]; then
        echo "temporary files are left in $2"
        differs=1
    fi
    return $differs
}

