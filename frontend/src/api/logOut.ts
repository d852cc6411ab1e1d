// Logout: here by a write that only this app can make, then at the Hub, where the answer leads.
import { outside } from "~/paths";
import { answer, client } from "./client";

/** Leaves the page. Where the portal does not answer, or no longer knows us, the Hub asks whether a logout is meant. */
export async function logOut(go: (where: string) => void = (where) => location.assign(where)): Promise<void> {
  try {
    go((await answer(() => client.POST("/logout"))).location);
  } catch {
    go(outside.logout());
  }
}
