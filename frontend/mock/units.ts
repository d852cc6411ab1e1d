// Times from now, and units, for invented data.
export const GIB = 1024; // in MiB
export const HOUR = 3600; // in seconds

export const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();
export const ahead = (seconds: number) => ago(-seconds);
