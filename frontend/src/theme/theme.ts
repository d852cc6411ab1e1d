// Mantine in the portal's look: every colour comes from tokens.css, sizes are compact, animations short.
import {
  ActionIcon,
  Button,
  Menu,
  NativeSelect,
  Skeleton,
  Switch,
  TextInput,
  createTheme,
  type CSSVariablesResolver,
  type MantineColorsTuple,
} from "@mantine/core";

// Shades for the few places where Mantine computes with a colour; 7 is the light accent, 3 the dark one.
const accent: MantineColorsTuple = [
  "#e1f1f7",
  "#c4e4f0",
  "#8dd0e8",
  "#4dbfe2",
  "#2ba3c9",
  "#1489b0",
  "#04779c",
  "#00668a",
  "#005472",
  "#00425a",
];

const FILLED = { "--button-color": "var(--dsp-on-accent)" };
const FILLED_BAD = {
  "--button-bg": "var(--dsp-bad)",
  "--button-hover": "var(--dsp-bad)",
  "--button-color": "var(--dsp-surface)",
};

export const theme = createTheme({
  primaryColor: "accent",
  primaryShade: { light: 7, dark: 3 },
  colors: { accent },
  fontFamily: "var(--dsp-font)",
  fontFamilyMonospace: "var(--dsp-mono)",
  fontSizes: { xs: "12px", sm: "14px", md: "14px", lg: "16px", xl: "20px" },
  lineHeights: { xs: "16px", sm: "20px", md: "20px", lg: "24px", xl: "28px" },
  spacing: { xs: "8px", sm: "12px", md: "16px", lg: "24px", xl: "32px" },
  radius: { xs: "4px", sm: "6px", md: "6px", lg: "8px", xl: "12px" },
  defaultRadius: "sm",
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    // Filled buttons use the tokens' own colour pairs; "bad" is for destructive actions.
    Button: Button.extend({
      defaultProps: { size: "sm" },
      vars: (_theme, { variant = "filled", color }) => ({
        root: variant === "filled" ? (color === "bad" ? FILLED_BAD : FILLED) : {},
      }),
    }),
    ActionIcon: ActionIcon.extend({ defaultProps: { variant: "subtle", color: "gray", size: 32 } }),
    TextInput: TextInput.extend({ defaultProps: { size: "sm" } }),
    NativeSelect: NativeSelect.extend({ defaultProps: { size: "sm" } }),
    Switch: Switch.extend({ defaultProps: { size: "sm" } }),
    // Announces loading to everybody, not by its look alone.
    Skeleton: Skeleton.extend({ defaultProps: { "aria-busy": true } }),
    // In the landmark of its button, and with no child but its items, as screen readers expect.
    Menu: Menu.extend({
      defaultProps: { shadow: "sm", transitionProps: { duration: 100 }, withinPortal: false, withInitialFocusPlaceholder: false },
    }),
  },
});

const colours = {
  "--mantine-color-body": "var(--dsp-page)",
  "--mantine-color-text": "var(--dsp-text)",
  "--mantine-color-bright": "var(--dsp-text)",
  "--mantine-color-dimmed": "var(--dsp-text-2)",
  "--mantine-color-placeholder": "var(--dsp-text-3)",
  "--mantine-color-error": "var(--dsp-bad)",
  "--mantine-color-anchor": "var(--dsp-accent)",
  "--mantine-color-default": "var(--dsp-surface)",
  "--mantine-color-default-hover": "var(--dsp-hover)",
  "--mantine-color-default-color": "var(--dsp-text)",
  "--mantine-color-default-border": "var(--dsp-field)",
  "--mantine-color-disabled": "var(--dsp-sunken)",
  "--mantine-color-disabled-color": "var(--dsp-text-3)",
  "--mantine-color-disabled-border": "var(--dsp-line)",
  "--mantine-primary-color-filled": "var(--dsp-accent)",
  "--mantine-primary-color-filled-hover": "var(--dsp-accent-hover)",
  "--mantine-primary-color-light": "var(--dsp-accent-soft)",
  "--mantine-primary-color-light-hover": "var(--dsp-accent-soft)",
  "--mantine-primary-color-light-color": "var(--dsp-accent)",
  "--mantine-primary-color-contrast": "var(--dsp-on-accent)",
  "--mantine-color-accent-filled": "var(--dsp-accent)",
  "--mantine-color-accent-filled-hover": "var(--dsp-accent-hover)",
  "--mantine-color-accent-light": "var(--dsp-accent-soft)",
  "--mantine-color-accent-light-hover": "var(--dsp-accent-soft)",
  "--mantine-color-accent-light-color": "var(--dsp-accent)",
  "--mantine-color-accent-text": "var(--dsp-accent)",
  "--mantine-color-gray-light-color": "var(--dsp-text-2)",
  "--mantine-color-gray-light-hover": "var(--dsp-hover)",
};

// The same in both: the tokens themselves handle light and dark.
export const cssVariables: CSSVariablesResolver = () => ({ variables: {}, light: colours, dark: colours });
