import { Button } from '@mantine/core'
import { useState } from 'react'
import { Panel } from '../../ui/layout/panel.tsx'
import { lazyDialog } from '../../ui/lazy.tsx'
import { EntryList, EntryListItem } from './entry-list.tsx'

const LazyPasswordDialog = lazyDialog(() => import('./password-dialog.tsx'), 'PasswordDialog')

export function PasswordPanel({ hasPassword }: { hasPassword: boolean }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Panel title="Password">
      <EntryList>
        <EntryListItem
          title={hasPassword ? 'You sign in with a password.' : 'You have no password.'}
          detail="Changing it signs you out everywhere else."
          action={
            <Button variant="default" size="xs" onClick={() => setOpen(true)}>
              {hasPassword ? 'Change password' : 'Set a password'}
            </Button>
          }
        />
      </EntryList>
      {isOpen ? <LazyPasswordDialog hasPassword={hasPassword} onClose={() => setOpen(false)} /> : null}
    </Panel>
  )
}
