// How the additions about the session look, in JupyterLab's own colours.
export const STYLE = `
.portal-session-bar { font: inherit; color: inherit; background: none; border: 0; padding: 0 8px; height: 100%;
  cursor: pointer; white-space: nowrap; }
.portal-session-bar:hover { background: var(--jp-layout-color3); }
.portal-session-bar:focus-visible { outline: 2px solid var(--jp-brand-color1); outline-offset: -2px; }
.portal-session-bar.portal-soon { font-weight: 600; background: var(--jp-warn-color1, #f57c00); color: #000; }
@media (max-width: 630px) {
  .portal-session-bar.jp-StatusBar-Item span:nth-child(n + 3) { display: none; }
  #jp-main-statusbar .jp-StatusBar-Left { flex: 0 1 auto; min-width: 0; overflow: hidden; }
  #jp-main-statusbar .jp-StatusBar-Right { flex: 1 0 auto; justify-content: flex-end; }
}
.portal-session-panel { position: fixed; z-index: 10000; width: 340px; max-width: calc(100vw - 48px); padding: 12px 16px;
  max-height: calc(100vh - 80px); overflow: auto; color: var(--jp-ui-font-color1); background: var(--jp-layout-color1);
  border: 1px solid var(--jp-border-color1); border-radius: 4px; box-shadow: var(--jp-elevation-z6);
  font-size: var(--jp-ui-font-size1); line-height: 1.45; }
.portal-session-panel h2 { margin: 0 0 8px; font-size: var(--jp-ui-font-size2); overflow-wrap: anywhere; }
.portal-session-panel dl { display: grid; grid-template-columns: auto 1fr; gap: 8px 16px; margin: 0; }
.portal-session-panel dt { color: var(--jp-ui-font-color1); }
.portal-session-panel dd { margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
.portal-session-panel p { margin: 8px 0 0; }
.portal-session-panel p:empty, .portal-choices:empty { display: none; }
.portal-meter { height: 4px; margin-top: 3px; border-radius: 2px; background: var(--jp-layout-color3); }
.portal-meter div { height: 100%; border-radius: 2px; background: var(--jp-brand-color1); }
.portal-meter .portal-full { background: var(--jp-error-color1); }
.portal-line { display: block; width: 100%; height: 32px; margin-top: 3px; background: var(--jp-layout-color2); border-radius: 2px; }
.portal-line path { fill: none; stroke: var(--jp-brand-color1); stroke-width: 1.5; stroke-linecap: round; stroke-linejoin: round;
  vector-effect: non-scaling-stroke; }
.portal-buttons, .portal-choices { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; margin-top: 12px; }
.portal-choices button { padding: 0 7px; letter-spacing: 0; }
.portal-session-panel a { color: var(--jp-content-link-color, var(--jp-brand-color0)); text-decoration: underline;
  margin-left: auto; }
`;
