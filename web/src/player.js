// Which frame is shown, and when the next one is: playing, scrubbing, following a run that grows.

export class Player {
  constructor(onFrame) {
    this.onFrame = onFrame; // (frame) => whether it could be shown at once
    this.frame = 0;
    this.last = 0; // newest there is
    this.fps = 30;
    this.speed = 1;
    this.playing = false;
    this.live = false;
    this.growing = false;
    this.clock = 0;
    this.carry = 0;
  }

  go(frame, byHand = true) {
    const to = Math.max(0, Math.min(this.last, Math.round(frame)));
    if (byHand && this.live && to !== this.last) this.live = false;
    this.frame = to;
    this.carry = 0;
    this.onFrame(to);
  }

  toggle() {
    this.playing = !this.playing;
    if (this.playing) {
      this.live = false;
      if (this.frame >= this.last && !this.growing) this.go(0);
      this.clock = performance.now();
    }
  }

  /** The run has this many frames now. */
  grown(last, growing, fps) {
    const more = last > this.last;
    this.last = Math.max(0, last);
    this.growing = growing;
    this.fps = fps;
    if (this.live && (more || this.frame !== this.last)) this.go(this.last, false);
    else if (this.frame > this.last) this.go(this.last, false);
    return more;
  }

  /** Called for every picture of the screen; `ready(frame)` says whether that frame is here. */
  tick(now, ready) {
    if (!this.playing) return;
    const passed = Math.min(0.25, (now - this.clock) / 1000);
    this.clock = now;
    this.carry += passed * this.fps * this.speed;
    if (this.carry < 1) return;
    const end = this.frame >= this.last;
    if (end && this.growing) { // the next one is being made
      this.carry = 0;
      return;
    }
    // As far as the clock allows and frames are here; what is not, is waited for. After the last, round again.
    const from = end ? -1 : this.frame;
    let to = from;
    while (this.carry >= 1 && to < this.last && ready(to + 1)) {
      to++;
      this.carry--;
    }
    if (to === from) {
      this.carry = Math.min(this.carry, 1);
      this.onFrame(from + 1, true);
      return;
    }
    this.frame = to;
    this.onFrame(to);
  }
}
