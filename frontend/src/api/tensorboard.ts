import { EMPTY, writeDraft } from "./sessionDraft";
import type { App } from "./types";

/** The site's TensorBoard, unless nobody can start it here. */
export function tensorBoardOf(apps: readonly App[] | undefined): App | undefined {
  return apps?.find(({ name, available }) => name === "tensorboard" && available);
}

/** The new-session page, with TensorBoard on a folder. */
export function onFolder(app: App, folder: string): URLSearchParams {
  const option = app.options.find(({ kind }) => kind === "folder");
  return writeDraft({ ...EMPTY, app: app.name, options: option === undefined ? {} : { [option.name]: folder } });
}
