// Times in words. Everything takes `now` (ms), so that one clock drives the page and tests need none.
import { strings } from "~/strings/en";

const MINUTE = 60;
const HOUR = 3600;

/** Seconds as a number of hours to type and read: exact to the second, without 0.016666666666666666. */
export const hoursOf = (seconds: number) => Number((seconds / HOUR).toFixed(4));
const DAY = 86_400;

const words = strings.time;

/** A duration in its two largest units: `3 h 12 min`, `2 days 4 h`, `40 s`. */
export function span(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < MINUTE) return words.seconds(whole);
  const days = Math.floor(whole / DAY);
  const hours = Math.floor((whole % DAY) / HOUR);
  const minutes = Math.floor((whole % HOUR) / MINUTE);
  const parts = [
    days > 0 ? words.days(days) : null,
    hours > 0 ? words.hours(hours) : null,
    minutes > 0 ? words.minutes(minutes) : null,
  ];
  return parts
    .filter((part) => part !== null)
    .slice(0, 2)
    .join(" ");
}

/** Seconds from `now` to `iso`; negative if it has passed. */
export function secondsUntil(iso: string, now: number): number {
  return (Date.parse(iso) - now) / 1000;
}

/** `5 min ago`, `in 3 h`, `just now`; days away, the date. One unit, so that it rarely changes. */
export function relative(iso: string, now: number): string {
  const seconds = secondsUntil(iso, now);
  const away = Math.abs(seconds);
  if (away < 45) return words.justNow;
  if (away >= DAY) return clock(iso, now);
  const length = away < HOUR ? span(Math.max(MINUTE, roundTo(away, MINUTE))) : span(roundTo(away, HOUR));
  return seconds < 0 ? words.ago(length) : words.in(length);
}

/** The time until `iso`: `3 h 12 min left`. */
export function left(iso: string, now: number): string {
  const seconds = secondsUntil(iso, now);
  return seconds <= 0 ? words.over : words.left(span(seconds));
}

/** A point in time in its shortest form: `14:20`, `tomorrow 09:00`, `Thu 09:00`, `12 Nov 09:00`. */
export function clock(iso: string, now: number): string {
  const at = new Date(iso);
  const time = format(at, { hour: "2-digit", minute: "2-digit" });
  const days = Math.round((midnight(at) - midnight(new Date(now))) / (DAY * 1000));
  if (days === 0) return time;
  if (days === 1) return words.tomorrow(time);
  if (days === -1) return words.yesterday(time);
  if (Math.abs(days) < 7) return `${format(at, { weekday: "short" })} ${time}`;
  const sameYear = at.getFullYear() === new Date(now).getFullYear();
  return `${format(at, { day: "numeric", month: "short", ...(sameYear ? {} : { year: "numeric" }) })} ${time}`;
}

/** The full form, for hovering: weekday, date, seconds, zone. */
export function exact(iso: string): string {
  return format(new Date(iso), { dateStyle: "full", timeStyle: "long" });
}

/** The value of an `<input type="datetime-local">`: the user's own zone, to the minute. */
export function toLocalInput(at: Date): string {
  const shifted = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}

function midnight(at: Date): number {
  return new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime();
}

function roundTo(value: number, unit: number): number {
  return Math.floor(value / unit) * unit;
}

function format(at: Date, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(strings.locale, { hourCycle: "h23", ...options }).format(at);
}
