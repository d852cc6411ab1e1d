// App icons, by the names in the catalogue.
import {
  BookIcon,
  BrowserIcon,
  CodeIcon,
  DatabaseIcon,
  DeviceDesktopIcon,
  GraphIcon,
  ImageIcon,
  ProjectIcon,
  TerminalIcon,
  VscodeIcon,
  type Icon,
} from "@primer/octicons-react";

const ICONS: Record<string, Icon> = {
  code: CodeIcon,
  database: DatabaseIcon,
  desktop: DeviceDesktopIcon,
  digits: ImageIcon,
  graph: GraphIcon,
  image: ImageIcon,
  jupyter: BookIcon,
  mlflow: ProjectIcon,
  notebook: BookIcon,
  rstudio: CodeIcon,
  streamlit: BrowserIcon,
  tensorboard: GraphIcon,
  terminal: TerminalIcon,
  vscode: VscodeIcon,
};

/** An unknown name gets the icon of a generic web app. */
export function AppIcon({ name }: { name: string }) {
  const Shown = ICONS[name] ?? BrowserIcon;
  return <Shown />;
}
