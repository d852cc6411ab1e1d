// The files that were chosen or dropped, with their paths below the folder where they go.
export interface Chosen {
  file: File;
  /** Relative, with the chosen folder's own name. */
  path: string;
}

export const ofInput = (files: FileList | null): Chosen[] => [...(files ?? [])].map((file) => ({ file, path: file.webkitRelativePath || file.name }));

/** Whole folders, too. */
export async function ofDrop(items: DataTransferItemList): Promise<Chosen[]> {
  // The list is emptied as soon as this function waits.
  const entries = [...items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  return (await Promise.all(entries.map((entry) => below(entry, "")))).flat();
}

async function below(entry: FileSystemEntry, folder: string): Promise<Chosen[]> {
  const path = folder + entry.name;
  if (entry.isFile) {
    const file = await new Promise<File>((done, fail) => (entry as FileSystemFileEntry).file(done, fail));
    return [{ file, path }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: Chosen[] = [];
  for (;;) {
    // A reader gives a hundred entries at a time.
    const some = await new Promise<FileSystemEntry[]>((done, fail) => reader.readEntries(done, fail));
    if (some.length === 0) return found;
    for (const inner of some) found.push(...(await below(inner, `${path}/`)));
  }
}

/** The folders that must exist, the outermost first. */
export function foldersOf(chosen: readonly Chosen[]): string[] {
  const all = chosen.flatMap(({ path }) => {
    const parts = path.split("/").slice(0, -1);
    return parts.map((_, at) => parts.slice(0, at + 1).join("/"));
  });
  return [...new Set(all)].sort((a, b) => a.length - b.length);
}
