import { localStorageColorSchemeManager } from "@mantine/core";

/** The same key as public/theme.js, which reads it before the first paint. */
export const colorSchemeManager = localStorageColorSchemeManager({ key: "dsp.theme" });
