/** The wish of an organisation, for all connectors that follow it. */
import type { OrganisationReadyBy } from '@tributary/contract/ready-by'
import { Button, Checkbox } from '@mantine/core'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { useInvalidate } from '../../api/use-invalidate.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { MutationError } from '../requests/mutation-error.tsx'
import { announceToScreenReader } from '../../ui/feedback/toasts.tsx'
import { organisationReadyBy } from './ready-by-queries.ts'
import { isSameWish, toWishInput, usualWish, WishFields } from './wish-fields.tsx'
import css from './ready-by.module.css'

interface OrganisationWishFormProps {
  readonly clientId: string
  readonly readyBy: OrganisationReadyBy
}

export function OrganisationWishForm({ clientId, readyBy: { Wish } }: OrganisationWishFormProps) {
  const [isOn, setOn] = useState(Wish !== null)
  const [wish, setWish] = useState(Wish ?? usualWish)
  const invalidate = useInvalidate()
  const save = useMutation({
    mutationFn: () =>
      call('PUT /tributary/clients/:clientId/ready-by', {
        params: { clientId },
        body: { wish: isOn ? toWishInput(wish) : null },
      }),
    onSuccess: async () => {
      await invalidate(organisationReadyBy(clientId))
      announceToScreenReader('The time is saved. The next starts are being planned.')
    },
  })
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <MutationError of={save} />
      <Checkbox
        size="md"
        label="The rows of all connectors must be ready by a time"
        checked={isOn}
        onChange={(event) => setOn(event.currentTarget.checked)}
      />
      {isOn ? <WishFields wish={wish} onChange={setWish} /> : null}
      <Button type="submit" variant="default" disabled={isSameWish(isOn ? wish : null, Wish)} loading={save.isPending}>
        Save for the organisation
      </Button>
    </form>
  )
}
