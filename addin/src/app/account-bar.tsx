/** The signed-in user, and the button to sign out. */
import { Button } from '@fluentui/react-button'
import { makeStyles } from '@griffel/react'
import { tokens } from '@fluentui/react-theme'
import type { SessionReply } from '@tributary/contract/sign-in'
import { signOut } from '../api/sign-in.ts'
import { useScreenMutation } from '../api/use-screen-mutation.ts'

const useStyles = makeStyles({
  bar: {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: '8px',
    maxWidth: '600px',
    boxSizing: 'border-box',
    padding: '8px 12px 0 20px',
    fontSize: tokens.fontSizeBase200,
    color: tokens.colorNeutralForeground3,
    overflowWrap: 'anywhere',
  },
  signOut: { flexShrink: 0 },
})

export function AccountBar({ session: { firstName, lastName, email } }: { session: SessionReply }) {
  const styles = useStyles()
  const leave = useScreenMutation(signOut)
  return (
    <header className={styles.bar}>
      <span title={email}>{`${firstName} ${lastName}`}</span>
      <Button
        className={styles.signOut}
        appearance="subtle"
        size="small"
        disabled={leave.isPending}
        onClick={() => leave.mutate()}
      >
        Sign out
      </Button>
    </header>
  )
}
