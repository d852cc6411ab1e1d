import { ActionIcon, Menu, useMantineColorScheme, type MantineColorScheme } from "@mantine/core";
import { CheckIcon, DeviceDesktopIcon, MoonIcon, SunIcon, type Icon } from "@primer/octicons-react";

import { strings } from "~/strings/en";

export const THEMES: { value: MantineColorScheme; title: string; Icon: Icon }[] = [
  { value: "auto", title: strings.nav.theme.system, Icon: DeviceDesktopIcon },
  { value: "light", title: strings.nav.theme.light, Icon: SunIcon },
  { value: "dark", title: strings.nav.theme.dark, Icon: MoonIcon },
];

export function ThemeMenu() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const Current = THEMES.find(({ value }) => value === colorScheme)?.Icon ?? DeviceDesktopIcon;
  return (
    <Menu position="bottom-end" width={160}>
      <Menu.Target>
        <ActionIcon aria-label={strings.nav.theme.label} title={strings.nav.theme.label}>
          <Current />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {THEMES.map(({ value, title, Icon }) => (
          <Menu.Item
            key={value}
            role="menuitemradio"
            aria-checked={value === colorScheme}
            leftSection={<Icon />}
            rightSection={value === colorScheme ? <CheckIcon /> : null}
            onClick={() => setColorScheme(value)}
          >
            {title}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
