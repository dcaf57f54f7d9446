import { type MantineColorScheme, useMantineColorScheme } from '@mantine/core'

/** The theme of this browser, and how to choose another. */
export function useTheme(): {
  readonly theme: MantineColorScheme
  readonly choose: (theme: MantineColorScheme) => void
} {
  // Mantine holds transitions back by a style element written as HTML, which our content security policy refuses: the choice would throw.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true })
  return { theme: colorScheme, choose: setColorScheme }
}
