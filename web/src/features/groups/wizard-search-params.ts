/** State of the wizard in the URL, so that a reload and the Back button restore it. */
import { useUrlParams, useUpdateUrlParams } from '../../ui/hooks/search-params.ts'

export const wizardSteps = ['area', 'areaFlipped', 'version'] as const
export type WizardStepName = (typeof wizardSteps)[number]

/** Values of `group` in the URL: 'new', a group's id, or 'copy-' and the id of the group to duplicate. */
export const newGroup = 'new'
export const copyOfGroup = (groupId: string) => `copy-${groupId}`

export function useWizardSearchParams() {
  const params = useUrlParams()
  const changeAddress = useUpdateUrlParams()
  const requested = params.get('step')
  return {
    of: params.get('group'),
    step: wizardSteps.find((step) => step === requested) ?? 'area',
    open(of: string, step: WizardStepName = 'area') {
      changeAddress(() => new URLSearchParams({ group: of, step }))
    },
    /** Returns to the list. */
    close() {
      changeAddress(() => new URLSearchParams())
    },
  }
}
