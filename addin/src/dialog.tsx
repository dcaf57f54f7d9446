/** Entry of the window in which users sign in. */
import { createRoot } from 'react-dom/client'
import { PaneProviders } from './app/providers.tsx'
import { SignIn } from './dialog/sign-in.tsx'
import { startOffice } from './host/office.ts'

const host = await startOffice()
const container = document.querySelector('#root')
if (container === null) throw new Error('dialog.html has no element #root.')
createRoot(container).render(
  <PaneProviders isDark={undefined}>
    <SignIn host={host} />
  </PaneProviders>,
)
