import { answer, api } from '../../api/client';
import type { Service } from '../../api/types';
import { NewCopy } from './new-copy';

interface Props {
  readonly service: Service;
  readonly onClose: () => void;
  readonly onAccepted: () => void;
}

export function CloneDatabase({ service, onClose, onAccepted }: Props) {
  return (
    <NewCopy
      title={`Clone ${service.name}`}
      holds="A new database with the data of the newest verified backup. What was written after that backup is not in it."
      suggestion={`${service.name}, copy`}
      action="Clone"
      make={(name) =>
        answer(api.POST('/api/v1/services/{id}/clone', { params: { path: { id: service.id } }, body: { name } }))
      }
      onClose={onClose}
      onAccepted={onAccepted}
    />
  );
}
