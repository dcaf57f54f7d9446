/** The window in which people sign in. */
import { createRoot } from 'react-dom/client'
import { SignIn } from './dialog/sign-in.tsx'
import { startOffice } from './host/office.ts'
import { PaneTheme } from './ui/theme.tsx'

const host = await startOffice()
const place = document.querySelector('#root')
if (place === null) throw new Error('The page has no place for the form.')
createRoot(place).render(
  <PaneTheme isDark={undefined}>
    <SignIn host={host} />
  </PaneTheme>,
)
