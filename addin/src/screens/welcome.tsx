/** What the pane is good for, before anybody has to sign in. */
import { Button } from '@fluentui/react-button'
import { Text } from '@fluentui/react-text'
import { signIn } from '../api/sign-in.ts'
import { lookAt } from '../load/load-plan.ts'
import { Failure } from '../ui/message-bars.tsx'
import { Screen } from '../ui/screen.tsx'
import { useAct, useAsk } from '../ui/use-request.ts'
import { columnsWord, rowsWord } from '../ui/load-wording.ts'

export function Welcome() {
  const signing = useAct()
  const sight = useAsk('sheet', () => lookAt('sheet'))
  const place = sight.value?.place
  const start = () => signing.run(async () => void (await signIn()))
  return (
    <Screen
      title="Load this sheet into your database"
      actions={
        <Button appearance="primary" disabled={signing.isBusy} onClick={start}>
          Sign in
        </Button>
      }
    >
      {place === undefined ? null : (
        <Text weight="semibold">{`‘${place.sheet}’ has ${rowsWord(place.rows)} and ${columnsWord(place.columns)}.`}</Text>
      )}
      <Text>
        Tributary moves the sheet into your organisation’s tables, from which the reports read. Every cell is checked
        first, and what is wrong is shown where it stands.
      </Text>
      <Text>You see the totals before and after. Nobody sees half a load, and every load can be undone.</Text>
      <Failure error={signing.error} onRetry={start} />
    </Screen>
  )
}
