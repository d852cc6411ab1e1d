import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { RouterProvider } from "react-router-dom";

import "./theme/mantine.css";
import "./theme/tokens.css";
import "./theme/global.css";
import { makeRouter, routerFuture } from "./app/App";
import { Providers } from "./app/Providers";

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");

createRoot(root).render(
  <StrictMode>
    <Providers>
      <RouterProvider router={makeRouter()} future={routerFuture} />
    </Providers>
  </StrictMode>,
);
