/** Which wish a connector follows: that of its organisation, its own, or none. */
import type { ConnectorReadyBy } from '@tributary/contract/ready-by'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import type { ConnectorParams } from '../../api/queries/runs.ts'
import { useInvalidate } from '../../api/use-invalidate.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { MutationError } from '../../domain/requests/mutation-error.tsx'
import { announceToScreenReader } from '../../ui/feedback/toasts.tsx'
import { RadioGroup } from '../../ui/forms/radio-group.tsx'
import { organisationReadyBy } from '../../domain/ready-by/ready-by-queries.ts'
import { describeWish } from '../../domain/ready-by/ready-by-words.ts'
import { isSameWish, toWishInput, usualWish, WishFields } from '../../domain/ready-by/wish-fields.tsx'
import css from '../../domain/ready-by/ready-by.module.css'

type Follows = ConnectorReadyBy['Follows']

interface ConnectorWishFormProps {
  readonly ids: ConnectorParams
  readonly readyBy: ConnectorReadyBy
}

export function ConnectorWishForm({ ids, readyBy }: ConnectorWishFormProps) {
  const { Follows, Wish, OrganisationWish, TimeZone } = readyBy
  const [follows, setFollows] = useState<Follows>(Follows)
  const [wish, setWish] = useState(Wish ?? OrganisationWish ?? usualWish)
  const save = useSaveWish(ids)
  const isChanged = follows !== Follows || (follows === 'own' && !isSameWish(wish, Wish))
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate(follows === 'own' ? { follows, wish: toWishInput(wish) } : { follows })
      }}
    >
      <MutationError of={save} />
      <RadioGroup
        label="This connector"
        value={follows}
        onChange={setFollows}
        choices={[
          {
            value: 'organisation',
            label: 'As the organisation',
            help: OrganisationWish === null ? 'No time is set.' : `${describeWish(OrganisationWish, TimeZone)}.`,
          },
          { value: 'own', label: 'A different time' },
          { value: 'none', label: 'No time' },
        ]}
      />
      {follows === 'own' ? <WishFields wish={wish} onChange={setWish} /> : null}
      <Button type="submit" variant="default" disabled={!isChanged} loading={save.isPending}>
        Save
      </Button>
    </form>
  )
}

type SavedWish = { follows: 'own'; wish: ReturnType<typeof toWishInput> } | { follows: 'organisation' | 'none' }

function useSaveWish({ clientId, connectorId }: ConnectorParams) {
  const invalidate = useInvalidate()
  return useMutation({
    mutationFn: (body: SavedWish) =>
      call('PUT /tributary/clients/:clientId/connectors/:connectorId/ready-by', {
        params: { clientId, connectorId },
        body: body.follows === 'own' ? body : { follows: body.follows },
      }),
    onSuccess: async () => {
      await invalidate(organisationReadyBy(clientId))
      announceToScreenReader('The time is saved. The next start is being planned.')
    },
  })
}
