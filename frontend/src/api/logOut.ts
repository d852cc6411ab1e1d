// Logout: first here, with a write that only this app can make, then at the Hub, where the response redirects.
import { outside } from "~/paths";
import { answer, client } from "./client";

/** Leaves the page. If the portal does not answer or has lost the login, the Hub asks for confirmation. */
export async function logOut(go: (where: string) => void = (where) => location.assign(where)): Promise<void> {
  try {
    go((await answer(() => client.POST("/logout"))).location);
  } catch {
    go(outside.logout());
  }
}
