# Shared by the scripts that compare runs: scenes, folders, and a comparison of two runs.

# methods_of PROGRAM: the methods in its registry, from the schema it prints.
methods_of() {
    "$1" validate --schema | sed -n 's/.*"method": *{[^}]*"enum": *\[\([^]]*\)\].*/\1/p' | head -1 | tr -d '" '$'\t' |
        tr -s '\n' ' ' | sed 's/,/ /g'
}

# work_folder: a new folder, in memory where there is such a place: thousands of syncs.
work_folder() {
    if [ -d /dev/shm ] && [ -w /dev/shm ]; then mktemp -d /dev/shm/rill_robust_XXXXXX; else mktemp -d; fi
}

# What flows, by method: "liquid" with an emitter; liquid alone where a method has no sources; a filled domain with
# a source of smoke where it has no free surface.
kind_of() {
    case $1 in
    tets) echo filled ;;
    voronoi) echo still ;;
    *) echo liquid ;;
    esac
}

# open_of METHOD: the top, where a method can have it open.
open_of() {
    [ "$(kind_of "$1")" = still ] || echo ', "open": ["+y"]'
}

# fluid_of METHOD DIMENSIONS: these keys, and a height gauge where there is a surface.
fluid_of() {
    local from="0, 0, 0" to="0.5, 0.6, 0.48" tap="0.9, 0.7, 0.24" normal="0, -1, 0" column="0.4, 0.24"
    [ "$2" = 2 ] && from="0, 0" to="0.5, 0.6" tap="0.9, 0.7" normal="0, -1" column="0.4"
    if [ "$(kind_of "$1")" = filled ]; then
        cat <<END
  "fill": true,
  "smoke": [ { "shape": { "sphere": { "center": [0.5, 0, 0.24], "radius": 0.2 } }, "velocity": [0, 2, 0],
               "density": 0.1, "temperature": 400, "tracers_per_second": 900 } ],
END
        return
    fi
    echo "  \"liquid\": [ { \"shape\": { \"box\": { \"min\": [$from], \"max\": [$to] } } } ],"
    [ "$(kind_of "$1")" = liquid ] && cat <<END
  "emitters": [ { "shape": { "disc": { "center": [$tap], "normal": [$normal], "radius": 0.16 } },
                  "speed": { "keyframes": [ { "t": 0, "value": 1 }, { "t": 0.2, "value": 3 } ] },
                  "start": -0.02, "end": 5 } ],
END
    return 0
}

# small_scene METHOD: some hundred elements, an emitter of varying speed, a moving solid, a pre-roll, gauges, images,
# white water.
small_scene() {
    local height=', { "name": "H", "height": [0.4, 0.24] }'
    local white='"whitewater": { "speed_range": [0, 1], "air_range": [0, 2], "trapped_air": 200, "life_min": 0.05 },'
    [ "$(kind_of "$1")" = filled ] && height= white=
    cat <<END
{ "rill": 1, "name": "small", "method": "$1", "spacing": $([ "$(kind_of "$1")" = liquid ] && echo 0.08 || echo 0.14),
  "domain": { "min": [0, 0, 0], "max": [1.2, 0.8, 0.48]$(open_of "$1") },
  "time": { "frames": 12, "fps": 40, "preroll": 0.06 },
$(fluid_of "$1" 3)
  "solids": [ { "name": "post", "shape": { "box": { "min": [0.7, 0, 0.16], "max": [0.78, 0.3, 0.32] } },
                "motion": { "pivot": [0.74, 0, 0.24], "keyframes": [ { "t": 0 }, { "t": 0.3, "translate": [0.1, 0, 0],
                                                                               "rotate": [0, 180, 20] } ] } } ],
  $white
  "gauges": [ { "name": "P", "pressure": [1.15, 0.05, 0.24] }$height ],
  "output": { "width": 96, "height": 64, "checkpoint": 2, "video": false } }
END
}

# tiny_scene METHOD FRAMES IMAGES: as fast as a run can be; in two dimensions where liquid flows.
tiny_scene() {
    if [ "$(kind_of "$1")" != liquid ]; then
        cat <<END
{ "rill": 1, "name": "tiny", "method": "$1", "spacing": 0.2,
  "domain": { "min": [0, 0, 0], "max": [1.2, 0.8, 0.48]$(open_of "$1") },
  "time": { "frames": $2, "fps": 60 },
$(fluid_of "$1" 3)
  "gauges": [ { "name": "P", "pressure": [0.05, 0.05, 0.24] } ],
  "output": { "width": 32, "height": 24, "checkpoint": 2, "images": $3, "video": false } }
END
        return
    fi
    cat <<END
{ "rill": 1, "name": "tiny", "method": "$1", "spacing": 0.1, "dimensions": 2,
  "domain": { "min": [0, 0], "max": [1.2, 0.8], "open": ["+y"] },
  "time": { "frames": $2, "fps": 60 },
  "liquid": [ { "shape": { "box": { "min": [0, 0], "max": [0.5, 0.6] } } } ],
  "emitters": [ { "shape": { "disc": { "center": [0.9, 0.7], "normal": [0, -1], "radius": 0.16 } },
                  "speed": 4, "start": 0.01, "end": 5 } ],
  "gauges": [ { "name": "P", "pressure": [0.05, 0.05] }, { "name": "H", "height": [0.4] } ],
  "output": { "width": 32, "height": 24, "checkpoint": 2, "images": $3, "video": false } }
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

# begins_as WHOLE PART: PART is WHOLE or a beginning of it that ends with a line, clocks aside.
begins_as() {
    [ -s "$2" ] || return 0
    [ "$(tail -c 1 "$2" | od -An -c | tr -d ' ')" = '\n' ] || return 1
    cmp -s <(without_clock "$1" | head -n "$(wc -l <"$2")") <(without_clock "$2")
}

# only_whole_files PROGRAM REFERENCE DIR: every file of DIR that has its final name is the
# reference's, or sound (checkpoints hold lengths of clocks' digits, so they are asked). Says
# what is not. Growing files are checked by begins_as, unless a fourth word is given.
only_whole_files() {
    local program=$1 reference=$2 dir=$3 bad=0 f name
    [ -d "$dir" ] || return 0
    for f in "$dir"/frames/*.ply "$dir"/images/*.png "$dir"/scene.json; do
        [ -e "$f" ] || continue
        name=${f#"$dir"/}
        cmp -s "$f" "$reference/$name" || { echo "$name is not whole"; bad=1; }
    done
    for f in "$dir"/checkpoints/*.rill; do
        [ -e "$f" ] || continue
        "$program" info "$f" >/dev/null 2>&1 || { echo "${f#"$dir"/} is not sound"; bad=1; }
    done
    if [ -e "$dir/run.json" ] && [ "$(tail -n 1 "$dir/run.json")" != "}" ]; then
        echo "run.json is not whole"
        bad=1
    fi
    [ $# -gt 3 ] && return $bad
    for name in stats.jsonl gauges.csv; do
        [ -e "$dir/$name" ] || continue
        begins_as "$reference/$name" "$dir/$name" || { echo "$name ends in the middle"; bad=1; }
    done
    return $bad
}

# expect NAME CODE TEXT COMMAND...: exit code, and a text its output holds. Counts in passed and failed.
expect() {
    local name=$1 code=$2 text=$3 got
    shift 3
    "$@" >log 2>&1
    got=$?
    if [ $got -eq "$code" ] && grep -qF -- "$text" log; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$name: exit code $got, expected $code and \"$text\":"
        cat log
    fi
}
holds() { # NAME CONDITION...
    local name=$1
    shift
    if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "$name: does not hold"; fi
}
not() { ! "$@"; }
