/** The providers of every page: theme, query cache and router. */
import { createTheme, MantineProvider } from '@mantine/core'
// In a cascade layer, so that the portal's style sheets take precedence, in whatever order the chunks load.
import '@mantine/core/styles/UnstyledButton.layer.css'
import '@mantine/core/styles/Button.layer.css'
import '@mantine/core/styles/ActionIcon.layer.css'
import '@mantine/core/styles/Loader.layer.css'
import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/PasswordInput.layer.css'
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Checkbox.layer.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { DataRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { createQueryClient } from '../api/query-client.ts'
import { themeStorage } from './theme-storage.ts'

const theme = createTheme({
  primaryColor: 'brand',
  primaryShade: 7,
  colors: {
    brand: [
      '#eff9fd',
      '#daf2fa',
      '#b6e3f4',
      '#8ad0e9',
      '#5ab9d8',
      '#239ec0',
      '#0083a3',
      '#006d89',
      '#005a71',
      '#004558',
    ],
    red: ['#fff4f3', '#ffe6e3', '#ffccc7', '#ffa8a0', '#ff7e76', '#f14d4c', '#d42931', '#b51522', '#94151d', '#721216'],
  },
  fontFamily: 'var(--font)',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Checkbox: { defaultProps: { size: 'md' } },
    Switch: { defaultProps: { size: 'md' } },
  },
})

/** Theme and cache without a router, for tests of one component. */
export function Foundation({ children, env = 'default' }: { children: ReactNode; env?: 'default' | 'test' }) {
  const [queryClient] = useState(createQueryClient)
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={themeStorage}
      // Both would insert style elements, which the content security policy forbids; the variables are in tokens.css.
      withCssVariables={false}
      withGlobalClasses={false}
      env={env}
    >
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    </MantineProvider>
  )
}

export function Providers({ router }: { router: DataRouter }) {
  return (
    <Foundation>
      <RouterProvider router={router} />
    </Foundation>
  )
}
