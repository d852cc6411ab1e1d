// Paths as people type them into a field: `~/runs/fi` is the beginning of a name in the folder `~/runs`.
export interface Typed {
  /** The folder that is being looked into. */
  folder: string;
  /** What has been typed of a name in it. */
  begun: string;
}

export function typedOf(text: string): Typed {
  if (text === "" || text === "~") return { folder: "~", begun: "" };
  const cut = text.lastIndexOf("/");
  if (cut < 0) return { folder: "~", begun: text };
  return { folder: cut === 0 ? "/" : text.slice(0, cut), begun: text.slice(cut + 1) };
}

export const inside = (folder: string, name: string) => (folder === "/" ? `/${name}` : `${folder}/${name}`);

/** The folder above; null at the top and at home. */
export function above(folder: string): string | null {
  if (folder === "/" || folder === "~") return null;
  return folder.slice(0, folder.lastIndexOf("/")) || "/";
}

/** Without the slash that stays at the end while somebody goes deeper. */
export const trimmed = (text: string) => (text.length > 1 ? text.replace(/\/+$/, "") || "/" : text);
