import { afterAttempt, afterLook, isDue, NO_RECOVERY, type Recovery } from './recovery.js';

const START = Date.parse('2026-05-01T08:00:00Z');
const at = (seconds: number) => new Date(START + seconds * 1000);

/** Looks every ten seconds, with an attempt whenever one is due. @returns the seconds of the attempts */
function attempts(verdictAt: (seconds: number) => Parameters<typeof afterLook>[1], seconds: number): number[] {
  const made: number[] = [];
  let recovery: Recovery = NO_RECOVERY;
  for (let now = 0; now <= seconds; now += 10) {
    recovery = afterLook(recovery, verdictAt(now), true, at(now));
    if (!isDue(recovery, at(now))) continue;
    made.push(now);
    recovery = afterAttempt(recovery, at(now));
  }
  return made;
}

describe('the recovery of a service', () => {
  it('begins at the third look at which it is unhealthy, and waits twice as long each time', () => {
    const made = attempts(() => 'unhealthy', 3 * 3_600);
    const pauses = made.slice(1).map((time, index) => time - made[index]!);
    expect(made[0]).toBe(20);
    expect(pauses).toEqual([30, 60, 120, 240, 480, 960, 1_800, 1_800, 1_800, 1_800]);
  });

  it('does not begin for a service that is unhealthy now and then', () => {
    expect(attempts((now) => (now % 30 === 0 ? 'starting' : 'unhealthy'), 3_600)).toEqual([]);
  });

  it('begins from the start after ten minutes of health', () => {
    const made = attempts((now) => (now > 100 && now <= 710 ? 'healthy' : 'unhealthy'), 760);
    expect(made).toEqual([20, 50, 740]);
  });

  it('takes no notice of health that was shorter', () => {
    const made = attempts((now) => (now > 100 && now <= 690 ? 'healthy' : 'unhealthy'), 800);
    expect(made).toEqual([20, 50, 720]);
    expect(attempts((now) => (now > 100 && now <= 690 ? 'healthy' : 'unhealthy'), 840).at(-1)).toBe(840);
  });

  it('forgets what it saw while the service was stopped or deployed', () => {
    let recovery = NO_RECOVERY;
    for (let look = 0; look < 9; look += 1) recovery = afterLook(recovery, 'unhealthy', look % 3 !== 2, at(look * 10));
    expect([recovery.unhealthyLooks, isDue(recovery, at(90))]).toEqual([0, false]);
  });

  it('waits no longer for a clock that was put back', () => {
    let recovery = afterAttempt(NO_RECOVERY, at(7_200));
    for (let look = 0; look < 3; look += 1) recovery = afterLook(recovery, 'unhealthy', true, at(look * 10));
    expect(recovery.nextAt).toEqual(at(30));
    expect(isDue(recovery, at(30))).toBe(true);
  });
});
