import { useQuery } from '@tanstack/react-query'
import { ownTypes } from '../../api/lists.ts'
import { paths } from '../../paths.ts'
import { Mark } from '../../ui/mark.tsx'
import { SideLink } from './side-link.tsx'
import css from './sidebar.module.css'

/** The organisation's connector types; skeletons until they are known. */
export function ConnectorLinks({ clientId, isRail }: { clientId: string | null; isRail: boolean }) {
  const { data } = useQuery({ ...ownTypes(clientId ?? ''), enabled: clientId !== null })
  return (
    <div className={css.connectors}>
      {isRail ? null : (
        <h2 className={css.heading} id="side-connectors">
          Connectors
        </h2>
      )}
      <ul className={css.list} aria-label="Connectors" aria-busy={data === undefined}>
        {data === undefined
          ? [0, 1, 2].map((index) => <li key={index} className={css.bone} aria-hidden />)
          : data.map((type) => (
              <SideLink
                key={type.Id}
                to={`${paths.connectors}/${type.Type}`}
                label={type.Title}
                icon={<Mark name={type.Type} size={20} />}
                isRail={isRail}
              />
            ))}
      </ul>
    </div>
  )
}
