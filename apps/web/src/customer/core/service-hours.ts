/** Reads "Mo-Fr 08:00-18:00 Europe/Zurich" and says whether someone is in, and when next. */

export type ServiceHours =
  /** `until` and `opensAt` are Unix milliseconds. */
  { readonly state: 'open'; readonly until: number } | { readonly state: 'closed'; readonly opensAt: number };

const DAYS = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'];
const FORM =
  /^(Mo|Tu|We|Th|Fr|Sa|Su)(?:-(Mo|Tu|We|Th|Fr|Sa|Su))? (\d{2}):(\d{2})-(\d{2}):(\d{2}) ([\w/+-]+)$/;
const MINUTE = 60_000;
const MINUTES_A_DAY = 24 * 60;

interface LocalTime {
  readonly day: number;
  readonly minutes: number;
}

const localTime = (now: number, timeZone: string): LocalTime | undefined => {
  try {
    const parts = new Intl.DateTimeFormat('en-US', {
      timeZone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }).formatToParts(now);
    const part = (type: string) => parts.find((candidate) => candidate.type === type)?.value ?? '';
    return {
      day: DAYS.indexOf(part('weekday').slice(0, 2)),
      minutes: Number(part('hour')) * 60 + Number(part('minute')),
    };
  } catch {
    // A time zone this browser does not know: then nothing is said about hours.
    return undefined;
  }
};

/** Nothing for a form it does not know: a promise nobody can read is not made. */
export const serviceHours = (text: string, now: number): ServiceHours | undefined => {
  const match = FORM.exec(text.trim());
  if (match === null) return undefined;
  const [, from = '', to = from, h1, m1, h2, m2, zone = ''] = match;
  const local = localTime(now, zone);
  if (local === undefined) return undefined;
  const first = DAYS.indexOf(from);
  const length = ((DAYS.indexOf(to) - first + 7) % 7) + 1;
  const works = (day: number) => (day - first + 7) % 7 < length;
  const opens = Number(h1) * 60 + Number(m1);
  const closes = Number(h2) * 60 + Number(m2);
  const inMinutes = (minutes: number) => Math.floor(now / MINUTE) * MINUTE + minutes * MINUTE;
  if (works(local.day) && local.minutes >= opens && local.minutes < closes) {
    return { state: 'open', until: inMinutes(closes - local.minutes) };
  }
  const days = [0, 1, 2, 3, 4, 5, 6, 7].find(
    (ahead) => works((local.day + ahead) % 7) && (ahead > 0 || local.minutes < opens),
  );
  return { state: 'closed', opensAt: inMinutes((days ?? 0) * MINUTES_A_DAY + opens - local.minutes) };
};
