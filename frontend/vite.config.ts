// Built under the proxy's path of the portal. `--mode mock` answers the API from mock/ instead of a running portal.
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

import { mockApi } from "./mock/plugin";

const portal = process.env["PORTAL_URL"] ?? "http://127.0.0.1:8000";

const DOM_TESTS = "src/**/*.dom.test.ts";
const OWN_APPS = ["terminal", "desktop"];

export default defineConfig(({ mode }) => ({
  base: "/services/portal/",
  plugins: [react(), ...(mode === "mock" ? [mockApi()] : [])],
  // noVNC awaits at its top level.
  optimizeDeps: { esbuildOptions: { target: "es2022" } },
  resolve: { alias: { "~": new URL("./src", import.meta.url).pathname } },
  build: {
    target: "es2022",
    chunkSizeWarningLimit: 400,
    rollupOptions: {
      input: { index: "index.html", terminal: "src/terminal/main.ts", desktop: "src/desktop/main.ts" },
      // The pages of our own apps are packed into the sessions' agent, which knows their scripts by these names. Each is
      // one file: the two share no module.
      output: {
        entryFileNames: ({ name }) => (OWN_APPS.includes(name) ? `${name}.js` : "assets/[name]-[hash].js"),
      },
    },
  },
  server: {
    host: "127.0.0.1",
    port: 5173,
    proxy:
      mode === "mock"
        ? {}
        : Object.fromEntries(
            ["/services/portal/api", "/services/portal/login", "/services/portal/logout", "/hub", "/user"].map(
              (path) => [path, { target: portal, ws: true }],
            ),
          ),
  },
  preview: { host: "127.0.0.1", port: 4173 },
  test: {
    restoreMocks: true,
    css: false,
    testTimeout: 60_000,
    pool: "threads",
    // A document takes most of a short test's time, so only tests that need one have it.
    projects: [
      {
        extends: true as const,
        test: {
          name: "dom",
          include: ["src/**/*.test.tsx", DOM_TESTS],
          environment: "jsdom",
          setupFiles: ["src/test/setup.ts"],
        },
      },
      {
        extends: true as const,
        test: { name: "plain", include: ["src/**/*.test.ts"], exclude: [DOM_TESTS], environment: "node", isolate: false },
      },
    ],
  },
}));
