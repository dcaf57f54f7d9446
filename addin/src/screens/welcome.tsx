/** What the pane does, for users who are not signed in. */
import { Button } from '@fluentui/react-button'
import { Text } from '@fluentui/react-text'
import { signIn } from '../api/sign-in.ts'
import { useScreenMutation } from '../api/use-screen-mutation.ts'
import { useScreenQuery } from '../api/use-screen-query.ts'
import { previewSource } from '../load/load-plan.ts'
import { Failure } from '../ui/message-bars.tsx'
import { Screen } from '../ui/screen.tsx'
import { formatColumns, formatRowCount } from '../ui/load-wording.ts'

export function Welcome() {
  const start = useScreenMutation(async () => void (await signIn()))
  const preview = useScreenQuery({ queryKey: ['source-preview', 'sheet'], queryFn: () => previewSource('sheet') })
  const range = preview.data?.range
  return (
    <Screen
      title="Load this sheet into your database"
      actions={
        <Button appearance="primary" disabled={start.isPending} onClick={() => start.mutate()}>
          Sign in
        </Button>
      }
    >
      {range === undefined ? null : (
        <Text weight="semibold">{`‘${range.sheet}’ has ${formatRowCount(range.rows)} and ${formatColumns(range.columns)}.`}</Text>
      )}
      <Text>
        Tributary moves the sheet into your organisation’s tables, from which the reports read. Every cell is checked
        first, and errors are shown in the cells that have them.
      </Text>
      <Text>You see the totals before and after. A load becomes visible all at once, and can be undone.</Text>
      <Failure error={start.error} onRetry={start.mutate} />
    </Screen>
  )
}
