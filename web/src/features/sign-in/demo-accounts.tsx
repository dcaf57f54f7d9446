import { Button } from '@mantine/core'
import css from './sign-in.module.css'

const demoPassword = 'tributary-demo-1'
const otherAccounts = [
  { emailAddress: 'superadmin@demo.example', label: 'Superadmin' },
  { emailAddress: 'provideradmin@demo.example', label: 'Provider admin' },
  { emailAddress: 'user@demo.example', label: 'User' },
  { emailAddress: 'guest@demo.example', label: 'Guest' },
  { emailAddress: 'admin@other.example', label: 'Admin of Summit Foods' },
]

interface DemoAccountsProps {
  isBusy: boolean
  onPick: (account: { emailAddress: string; password: string }) => void
}

/** Trial mode only: the accounts that the trial creates and prints at its start. */
export function DemoAccounts({ isBusy, onPick }: DemoAccountsProps) {
  return (
    <div className={css.demo}>
      <Button
        variant="default"
        size="md"
        fullWidth
        disabled={isBusy}
        onClick={() => onPick({ emailAddress: 'admin@demo.example', password: demoPassword })}
      >
        Use demo account
      </Button>
      <details className={css.roles}>
        <summary>Try another role</summary>
        <div className={css.roleList}>
          {otherAccounts.map(({ emailAddress, label }) => (
            <Button
              key={emailAddress}
              variant="light"
              size="compact-sm"
              disabled={isBusy}
              onClick={() => onPick({ emailAddress, password: demoPassword })}
            >
              {label}
            </Button>
          ))}
        </div>
      </details>
    </div>
  )
}
