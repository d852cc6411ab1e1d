/** The jobs by which the next one of their name is judged. */
export const lastJobs = (jobs: number, name: string) =>
  `${jobs === 1 ? "Your last finished job" : `Your last ${jobs} finished jobs`} named “${name}”`;
