/** Entry of the task pane. */
import { createRoot } from 'react-dom/client'
import { Pane } from './app/pane.tsx'
import { PaneProviders } from './app/providers.tsx'
import { isOfficeDark, startOffice } from './host/office.ts'

const host = await startOffice()
const container = document.querySelector('#root')
if (container === null) throw new Error('index.html has no element #root.')
createRoot(container).render(
  <PaneProviders isDark={host === 'excel' ? isOfficeDark() : undefined}>
    <Pane host={host} />
  </PaneProviders>,
)
