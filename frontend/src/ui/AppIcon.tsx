// Icons of apps, by the names that the catalogue gives them.
import {
  BookIcon,
  BrowserIcon,
  CodeIcon,
  DatabaseIcon,
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

/** A name that is not known here gets the icon of any web app. */
export function AppIcon({ name }: { name: string }) {
  const Shown = ICONS[name] ?? BrowserIcon;
  return <Shown />;
}
