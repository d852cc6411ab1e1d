// ⌘K: find pages, actions and sessions by a few letters.
import "@mantine/spotlight/styles.layer.css";

import { useMantineColorScheme } from "@mantine/core";
import { Spotlight, createSpotlight, type SpotlightActionGroupData } from "@mantine/spotlight";
import { useInfiniteQuery } from "@tanstack/react-query";
import { ArrowRightIcon, FileDirectoryIcon, PlusIcon, SearchIcon } from "@primer/octicons-react";
import { useEffect } from "react";
import { useNavigate } from "react-router-dom";

import { jobReads } from "~/api/jobs";
import { useActiveSessions, useEndedSessions, useMe } from "~/api/queries";
import { pages } from "~/paths";
import { strings } from "~/strings/en";
import { StateMark } from "~/ui/StateMark";
import { useRecentFolders, useStarred } from "~/ui/files/ownFolders";
import { lookOfJob } from "~/ui/jobLook";
import { lookOf } from "~/ui/sessionLook";
import { navPages } from "./NavLinks";
import classes from "./Palette.module.css";
import { THEMES } from "./ThemeMenu";

const [store, spotlight] = createSpotlight();

export default function Palette({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  useEffect(() => (opened ? spotlight.open() : spotlight.close()), [opened]);
  return (
    <Spotlight
      store={store}
      actions={usePaletteActions()}
      onSpotlightClose={onClose}
      shortcut={null}
      nothingFound={strings.palette.none}
      highlightQuery
      scrollable
      overlayProps={{ backgroundOpacity: 0.35, blur: 0 }}
      maxHeight={400}
      searchProps={{
        leftSection: <SearchIcon />,
        placeholder: strings.palette.placeholder,
        "aria-label": strings.palette.label,
      }}
      classNames={{ content: classes["content"] ?? "", search: classes["search"] ?? "", action: classes["action"] ?? "" }}
    />
  );
}

function usePaletteActions(): SpotlightActionGroupData[] {
  const navigate = useNavigate();
  const admin = useMe().data?.admin ?? false;
  const { setColorScheme } = useMantineColorScheme();
  const folders = [...new Set([...useStarred()[0], ...useRecentFolders()[0]])];
  const active = useActiveSessions().data?.items ?? [];
  const jobs = useInfiniteQuery(jobReads.list({ scope: "all", query: "" })).data?.pages[0]?.items ?? [];
  const ended = useEndedSessions().data?.pages.flatMap((page) => page.items) ?? [];
  return [
    {
      group: strings.palette.actions,
      actions: [
        {
          id: "new",
          label: strings.nav.newSession,
          leftSection: <PlusIcon />,
          onClick: () => navigate(pages.newSession()),
        },
        {
          id: "new-job",
          label: strings.nav.newJob,
          leftSection: <PlusIcon />,
          onClick: () => navigate(pages.newJob()),
        },
        ...THEMES.map(({ value, title, Icon }) => ({
          id: `theme-${value}`,
          label: strings.palette.themeTo(title),
          leftSection: <Icon />,
          onClick: () => setColorScheme(value),
        })),
      ],
    },
    {
      group: strings.palette.pages,
      actions: [...navPages(admin), { to: pages.usage(), title: strings.usage.nav }, { to: pages.bin(), title: strings.files.bin.title }].map(({ to, title }) => ({
        id: to,
        label: title,
        leftSection: <ArrowRightIcon />,
        onClick: () => navigate(to),
      })),
    },
    {
      group: strings.palette.folders,
      actions: folders.map((folder) => ({
        id: `folder-${folder}`,
        label: folder,
        leftSection: <FileDirectoryIcon />,
        onClick: () => navigate(pages.files(folder)),
      })),
    },
    {
      group: strings.palette.sessions,
      actions: [...active, ...ended].map((session) => ({
        id: session.id,
        label: session.name,
        description: `${session.app_title} · ${lookOf(session).word}`,
        leftSection: <StateMark look={lookOf(session)} />,
        onClick: () => navigate(pages.session(session.id)),
      })),
    },
    {
      group: strings.nav.jobs,
      actions: jobs.map((job) => ({
        id: `job-${job.id}`,
        label: job.name,
        description: `${job.id} · ${lookOfJob(job).word}`,
        leftSection: <StateMark look={lookOfJob(job)} />,
        onClick: () => navigate(pages.job(job.id)),
      })),
    },
  ];
}
