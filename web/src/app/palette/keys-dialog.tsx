/** Lists the keyboard shortcuts. Lazy-loaded. */
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useWorkspace } from '../../api/session/workspace.ts'
import { paths } from '../../paths.ts'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import css from './keys-dialog.module.css'
import { listGoKeys } from './page-items.ts'

const isApple = /mac|iphone|ipad/iu.test(navigator.userAgent)

export function KeysDialog({ isEnabled, onClose }: { isEnabled: boolean; onClose: () => void }) {
  const { roleLevel } = useWorkspace().identity
  return (
    <Dialog
      title="Keyboard shortcuts"
      subtitle={isEnabled ? 'None of them works while you type.' : 'Single keys are switched off in your profile.'}
      onClose={onClose}
      footer={
        <Button variant="default" component={Link} to={paths.profile} onClick={onClose}>
          Change in the profile
        </Button>
      }
    >
      <dl className={css.keys}>
        <Shortcut keys={[isApple ? '⌘' : 'Ctrl', 'K']}>Go to or find anything</Shortcut>
        <Shortcut keys={['/']}>Search on this page</Shortcut>
        <Shortcut keys={['?']}>Show these keys</Shortcut>
        {listGoKeys(roleLevel).map(({ key, title }) => (
          <Shortcut key={key} keys={['g', key]}>
            {title}
          </Shortcut>
        ))}
      </dl>
    </Dialog>
  )
}

function Shortcut({ keys, children }: { keys: readonly string[]; children: ReactNode }) {
  return (
    <div className={css.key}>
      <dt>{children}</dt>
      <dd>
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dd>
    </div>
  )
}
