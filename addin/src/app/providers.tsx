/** What every page of the task pane needs: its theme and its query client. */
import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { createQueryClient } from '../api/query-client.ts'
import { PaneTheme } from '../ui/theme.tsx'

export function PaneProviders({ isDark, children }: { isDark: boolean | undefined; children: ReactNode }) {
  const [queryClient] = useState(createQueryClient)
  return (
    <QueryClientProvider client={queryClient}>
      <PaneTheme isDark={isDark}>{children}</PaneTheme>
    </QueryClientProvider>
  )
}
