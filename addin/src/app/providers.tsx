/** What every page of the task pane needs: its theme and its query client. */
import { QueryClientProvider, QueryClient } from '@tanstack/react-query'
import { type ReactNode, useState, useSyncExternalStore } from 'react'
import { type BrandVariants, createDarkTheme, createLightTheme, type Theme } from '@fluentui/react-theme'
import { FluentProvider } from '@fluentui/react-provider'

export function PaneProviders({ isDark, children }: { isDark: boolean | undefined; children: ReactNode }) {
  const [queryClient] = useState(createQueryClient)
  return (
    <QueryClientProvider client={queryClient}>
      <PaneTheme isDark={isDark}>{children}</PaneTheme>
    </QueryClientProvider>
  )
}

/**
 * Nothing is cached, retried or refetched unasked: the sheet can change at any time, and the user decides when it is
 * read.
 */
function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        networkMode: 'always',
        retry: false,
        gcTime: 0,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
      },
      // By default a mutation waits for the network in silence, and is sent when the user no longer expects it.
      mutations: { networkMode: 'always', gcTime: 0 },
    },
  })
}

const brand: BrandVariants = {
  10: '#001319',
  20: '#00222c',
  30: '#003140',
  40: '#003f52',
  50: '#004d63',
  60: '#005b75',
  70: '#006483',
  80: '#006d89',
  90: '#1e7c97',
  100: '#3a8ba4',
  110: '#549ab1',
  120: '#6da9be',
  130: '#85b9cb',
  140: '#9dc9d8',
  150: '#b6d9e5',
  160: '#d0e9f2',
}
const light = createLightTheme(brand)
const dark: Theme = {
  ...createDarkTheme(brand),
  colorBrandForeground1: brand[130],
  colorBrandForegroundLink: brand[130],
}

/** Fluent's theme with Tributary's blue, light or dark to match Excel. */
function PaneTheme({ isDark, children }: { isDark: boolean | undefined; children: ReactNode }) {
  const isPageDark = useSyncExternalStore(watchColourScheme, () => queryDarkScheme().matches)
  return (
    <FluentProvider theme={(isDark ?? isPageDark) ? dark : light} style={{ minHeight: '100vh' }}>
      {children}
    </FluentProvider>
  )
}

const queryDarkScheme = () => matchMedia('(prefers-color-scheme: dark)')

function watchColourScheme(listener: () => void): () => void {
  const query = queryDarkScheme()
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}
