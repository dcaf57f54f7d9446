import { useMantineColorScheme } from '@mantine/core'

/** The colour scheme of this browser and a function that changes it. */
export function useTheme() {
  // To suppress transitions Mantine inserts a style element as HTML, which the content security policy refuses
  // with an exception.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true })
  return { theme: colorScheme, choose: setColorScheme }
}
