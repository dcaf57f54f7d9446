/** The task pane, beside the sheet. */
import { createRoot } from 'react-dom/client'
import { Pane } from './app/pane.tsx'
import { isOfficeDark, startOffice } from './host/office.ts'
import { PaneTheme } from './ui/theme.tsx'

const host = await startOffice()
const place = document.querySelector('#root')
if (place === null) throw new Error('The page has no place for the pane.')
createRoot(place).render(
  <PaneTheme isDark={host === 'excel' ? isOfficeDark() : undefined}>
    <Pane host={host} />
  </PaneTheme>,
)
