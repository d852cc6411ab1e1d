// Opens TensorBoard on a job's working folder, as its own session; the form says what the folder already contains.
import type { JobDetail } from "~/api/jobTypes";
import { useOptions } from "~/api/queries";
import { onFolder, tensorBoardOf } from "~/api/tensorboard";
import { pages } from "~/paths";
import { strings } from "~/strings/en";
import { PageButton } from "~/ui/LinkButton";

const words = strings.apps.tensorboard;

export function JobTensorBoard({ job }: { job: JobDetail }) {
  const app = tensorBoardOf(useOptions().data?.apps);
  if (app === undefined || job.workdir === null) return null;
  return (
    <PageButton to={pages.newSession(onFolder(app, job.workdir))} variant="default" title={words.onJob(job.workdir)}>
      {words.action}
    </PageButton>
  );
}
