// Paths as users type them into a field: `~/runs/fi` is the start of a name in the folder `~/runs`.
export interface Typed {
  /** The folder to list. */
  folder: string;
  /** The part of a name typed so far. */
  begun: string;
}

export function typedOf(text: string): Typed {
  if (text === "" || text === "~") return { folder: "~", begun: "" };
  const cut = text.lastIndexOf("/");
  if (cut < 0) return { folder: "~", begun: text };
  return { folder: cut === 0 ? "/" : text.slice(0, cut), begun: text.slice(cut + 1) };
}

export const inside = (folder: string, name: string) => (folder === "/" ? `/${name}` : `${folder}/${name}`);

/** The parent folder; null at the root and at home. */
export function above(folder: string): string | null {
  if (folder === "/" || folder === "~") return null;
  return folder.slice(0, folder.lastIndexOf("/")) || "/";
}

/** Without the slash that remains at the end while the user descends. */
export const trimmed = (text: string) => (text.length > 1 ? text.replace(/\/+$/, "") || "/" : text);
