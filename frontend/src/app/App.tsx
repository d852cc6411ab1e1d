// The routes. Home is in the first bundle; the other pages load when first visited.
import { lazy } from "react";
import { Navigate, createBrowserRouter, useLocation, type RouteObject } from "react-router-dom";

import { FilesRoute } from "~/files/FilesRoute";
import { BASE, pages } from "~/paths";
import { SessionsPage } from "~/sessions/SessionsPage";
import { Shell } from "~/shell/Shell";
import { Crash } from "./Crash";
import { NotFoundPage } from "./NotFoundPage";

const sessionPage = () => import("~/sessions/SessionPage");
const SessionPage = lazy(sessionPage);
const NewSessionPage = lazy(() => {
  // What follows "Start session". Safari has no such callback, and loads it then.
  if ("requestIdleCallback" in window) requestIdleCallback(() => void sessionPage().catch(() => undefined));
  return import("~/launch/NewSessionPage");
});
const SharedPage = lazy(() => import("~/sessions/SharedPage"));
const JobsPage = lazy(() => import("~/jobs/JobsPage"));
const JobPage = lazy(() => import("~/jobs/JobPage"));
const NewJobPage = lazy(() => import("~/compose/NewJobPage"));
const TemplatesPage = lazy(() => import("~/templates/TemplatesPage"));
const TemplatePage = lazy(() => import("~/templates/TemplatePage"));
const NotificationsPage = lazy(() => import("~/notifications/NotificationsPage"));
const BinPage = lazy(() => import("~/files/BinPage"));
const AppsPage = lazy(() => import("~/apps/AppsPage"));
const EnvironmentsPage = lazy(() => import("~/environments/EnvironmentsPage"));
const ClusterPage = lazy(() => import("~/cluster/ClusterPage"));
const AdminPages = lazy(() => import("~/admin/AdminPages"));
const AdminSessionsPage = lazy(() => import("~/admin/sessions/SessionsPage"));
const AdminNodesPage = lazy(() => import("~/admin/nodes/NodesPage"));
const AdminJobsPage = lazy(() => import("~/admin/jobs/JobsPage"));
const PeoplePage = lazy(() => import("~/admin/people/PeoplePage"));
const UsagePage = lazy(() => import("~/usage/UsagePage"));
const AdminUsagePage = lazy(() => import("~/usage/AdminUsagePage"));
const AnnouncementsPage = lazy(() => import("~/admin/announcements/AnnouncementsPage"));
const AuditPage = lazy(() => import("~/admin/audit/AuditPage"));
const HealthPage = lazy(() => import("~/admin/health/HealthPage"));

export const routes: RouteObject[] = [
  {
    element: <Shell />,
    errorElement: <Crash whole />,
    children: [
      {
        errorElement: <Crash />,
        children: [
          { path: pages.sessions(), element: <SessionsPage /> },
          { path: "/sessions", element: <Navigate to={pages.sessions()} replace /> },
          { path: pages.newSession(), element: <NewSessionPage /> },
          { path: "/sessions/:id", element: <SessionPage /> },
          { path: "/shared/:id", element: <SharedPage /> },
          { path: pages.jobs(), element: <JobsPage /> },
          { path: pages.newJob(), element: <NewJobPage /> },
          { path: "/jobs/:id", element: <JobPage /> },
          { path: pages.templates(), element: <TemplatesPage /> },
          { path: pages.cluster(), element: <ClusterPage /> },
          { path: "/templates/:id", element: <TemplatePage /> },
          { path: pages.usage(), element: <UsagePage /> },
          { path: pages.notifications(), element: <NotificationsPage /> },
          { path: pages.files(), element: <FilesRoute /> },
          { path: pages.bin(), element: <BinPage /> },
          { path: pages.apps(), element: <AppsPage /> },
          { path: pages.environments(), element: <EnvironmentsPage /> },
          {
            path: pages.admin(),
            element: <AdminPages />,
            children: [
              { index: true, element: <Navigate to={pages.adminSessions()} replace /> },
              { path: pages.adminSessions(), element: <AdminSessionsPage /> },
              { path: pages.adminNodes(), element: <AdminNodesPage /> },
              { path: pages.adminJobs(), element: <AdminJobsPage /> },
              { path: pages.people(), element: <PeoplePage /> },
              { path: pages.adminUsage(), element: <AdminUsagePage /> },
              { path: pages.announcements(), element: <AnnouncementsPage /> },
              { path: pages.audit(), element: <AuditPage /> },
              { path: pages.health(), element: <HealthPage /> },
            ],
          },
          { path: "/audit", element: <Moved to={pages.audit()} /> },
          { path: "*", element: <NotFoundPage /> },
        ],
      },
    ],
  },
];

/** An old URL, redirected with its query. */
function Moved({ to }: { to: string }) {
  return <Navigate to={{ pathname: to, search: useLocation().search }} replace />;
}

// A click shows the next page's skeleton at once, instead of the old page until the next one has loaded.
export const routerFuture = { v7_startTransition: false };

export const makeRouter = () => createBrowserRouter(routes, { basename: BASE });
