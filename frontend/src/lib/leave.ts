/** Leaves the app for another page of the same host, in this tab: login, a session. */
export const leave = {
  to: (url: string) => {
    location.assign(url);
  },
};
