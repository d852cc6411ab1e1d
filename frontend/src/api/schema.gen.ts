// Made by `npm run generate` from openapi.json. Do not edit.

export interface paths {
    "/admin/announcements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Rows
         * @description List all announcements, planned and past ones included, newest first.
         */
        get: operations["rows_services_portal_api_admin_announcements_get"];
        put?: never;
        /**
         * Make
         * @description Announce something, or plan maintenance: sessions that would run into it are refused from now on.
         */
        post: operations["make_services_portal_api_admin_announcements_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/announcements/{announcement_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change
         * @description Change one that is not over. Fields left out get their defaults.
         */
        put: operations["change_services_portal_api_admin_announcements__announcement_id__put"];
        post?: never;
        /**
         * End
         * @description Take one down now; it stays in the list as past.
         */
        delete: operations["end_services_portal_api_admin_announcements__announcement_id__delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/announcements/affected": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Affected
         * @description List the sessions that this maintenance would cut short. Nothing is written.
         */
        post: operations["affected_services_portal_api_admin_announcements_affected_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/announcements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shown
         * @description Return what is announced now: maintenance first.
         */
        get: operations["shown_services_portal_api_announcements_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Page
         * @description List who did what, newest first.
         */
        get: operations["page_services_portal_api_audit_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cluster": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Picture
         * @description Return every node as it is now, the same for everybody. An unchanged picture (`If-None-Match`) is 304.
         */
        get: operations["picture_services_portal_api_cluster_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cluster/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Changes
         * @description Follow the picture (server-sent events) from the version `after` on.
         *
         *     `picture` is all of it, `change` what differs from the version `since`, `mine` the caller's own GPUs by node,
         *     `seen` when Slurm was last read though nothing has changed.
         */
        get: operations["changes_services_portal_api_cluster_events_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cluster/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * History
         * @description Return the cluster's totals over the last hour, day, week or month.
         */
        get: operations["history_services_portal_api_cluster_history_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cluster/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Jobs
         * @description Return a page of the queue: the caller's own jobs first, then what runs, then what waits, in line.
         */
        get: operations["jobs_services_portal_api_cluster_jobs_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cluster/jobs/{job_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Job
         * @description Return one job of the queue, with the GPUs it holds.
         */
        get: operations["job_services_portal_api_cluster_jobs__job_id__get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cluster/nodes/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Node
         * @description Return one node, with the jobs on it and the GPUs that each holds.
         */
        get: operations["node_services_portal_api_cluster_nodes__name__get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/environments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Page
         * @description List the environments, and how the last installation of each stands.
         */
        get: operations["page_services_portal_api_environments_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/environments/{name}/install": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Install
         * @description Install or renew an environment. It goes on in the background; `GET /events` tells how.
         */
        post: operations["install_services_portal_api_environments__name__install_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Events
         * @description Follow everything this user's pages show (server-sent events): sessions, availability, Slurm's state.
         */
        get: operations["events_services_portal_api_events_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Files
         * @description List a folder of mine, or say what a path is; with my rights on the cluster, and no others.
         */
        get: operations["files_services_portal_api_files_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Me
         * @description Return who is calling; the CSRF token goes into `X-CSRF-Token` of writes made with the cookie.
         */
        get: operations["me_services_portal_api_me_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/modules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Page
         * @description List the modules that a session can load on top of its environment.
         */
        get: operations["page_services_portal_api_modules_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Options
         * @description Return what a new session may ask for, what is free now, and what is filled in by default.
         */
        get: operations["options_services_portal_api_options_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Page
         * @description List my sessions, newest first.
         */
        get: operations["page_services_portal_api_sessions_get"];
        put?: never;
        /**
         * Start
         * @description Start a session. Policy fills what is left out; nothing is submitted when it refuses.
         */
        post: operations["start_services_portal_api_sessions_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show
         * @description Return one session of mine, as it is now.
         */
        get: operations["show_services_portal_api_sessions__session_id__get"];
        put?: never;
        post?: never;
        /**
         * Stop
         * @description Stop a session, or cancel one that has not started. Its job is gone when its state is `ended`.
         */
        delete: operations["stop_services_portal_api_sessions__session_id__delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{session_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Events
         * @description Follow one session (server-sent events): what happened so far, then what happens, until it has ended.
         */
        get: operations["events_services_portal_api_sessions__session_id__events_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{session_id}/log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Log
         * @description Read a piece of the session's log; a negative offset counts from its end.
         */
        get: operations["log_services_portal_api_sessions__session_id__log_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check
         * @description Say what a session would get and what stands against it, without starting it.
         */
        post: operations["check_services_portal_api_sessions_check_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/site": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Site
         * @description Return the site's name and version, and whether Slurm answers.
         */
        get: operations["site_services_portal_api_site_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Page
         * @description List the notebook templates of this site.
         */
        get: operations["page_services_portal_api_templates_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/templates/{template_id}/open": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open In Session
         * @description Say where the template opens in a session of mine that is ready.
         */
        post: operations["open_in_session_services_portal_api_templates__template_id__open_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** AccountOut */
        AccountOut: {
            /** Default */
            default: boolean;
            /** Name */
            name: string;
        };
        /** AffectedList */
        AffectedList: {
            /** Items */
            items: components["schemas"]["AffectedOut"][];
        };
        /**
         * AffectedOut
         * @description A session that a maintenance would cut short.
         */
        AffectedOut: {
            /** Ends At */
            ends_at: string | null;
            /** Id */
            id: string;
            /** Name */
            name: string;
            /** Owner */
            owner: string;
            /** Partition */
            partition: string;
        };
        /**
         * AnnouncementIn
         * @description An announcement to be made or changed; shown at once without `shown_from`, until ended without `ends_at`.
         */
        AnnouncementIn: {
            /** Ends At */
            ends_at?: string | null;
            /** @default notice */
            kind: components["schemas"]["Kind-Input"];
            /**
             * On Login
             * @description Shown on the login page as well, to whoever opens it.
             * @default true
             */
            on_login: boolean;
            /**
             * Partitions
             * @description Which it is about; empty: all.
             */
            partitions?: string[];
            /** Shown From */
            shown_from?: string | null;
            /**
             * Starts At
             * @description Maintenance: when sessions must be over.
             */
            starts_at?: string | null;
            /** Text */
            text: string;
        };
        /** AnnouncementList */
        AnnouncementList: {
            /** Items */
            items: components["schemas"]["AnnouncementOut"][];
        };
        /**
         * AnnouncementOut
         * @description What everybody sees.
         */
        AnnouncementOut: {
            /** Ends At */
            ends_at: string | null;
            /** Id */
            id: number;
            kind: components["schemas"]["portal__announcements__models__Kind"];
            /** Partitions */
            partitions: string[];
            /** Starts At */
            starts_at: string | null;
            /** Text */
            text: string;
        };
        /**
         * AnnouncementRow
         * @description What administrators see besides.
         */
        AnnouncementRow: {
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Created By */
            created_by: string;
            /** Ends At */
            ends_at: string | null;
            /** Id */
            id: number;
            kind: components["schemas"]["portal__announcements__models__Kind"];
            /** On Login */
            on_login: boolean;
            /** Partitions */
            partitions: string[];
            /**
             * Shown From
             * Format: date-time
             */
            shown_from: string;
            /** Starts At */
            starts_at: string | null;
            /**
             * State
             * @enum {string}
             */
            state: "planned" | "shown" | "under_way" | "over";
            /** Text */
            text: string;
            /** Withdrawn At */
            withdrawn_at: string | null;
        };
        /** AnnouncementRows */
        AnnouncementRows: {
            /** Items */
            items: components["schemas"]["AnnouncementRow"][];
        };
        /**
         * AppOptionOut
         * @description One thing that the app asks; its value goes into `options` of the session.
         */
        AppOptionOut: {
            /** Choices */
            choices: string[];
            /** Default */
            default: string | boolean | null;
            /** Help */
            help: string;
            /**
             * Kind
             * @enum {string}
             */
            kind: "folder" | "text" | "choice" | "bool";
            /** Label */
            label: string;
            /** Name */
            name: string;
            /** Required */
            required: boolean;
        };
        /** AppOut */
        AppOut: {
            /** Available */
            available: boolean;
            /** Description */
            description: string;
            /** Environments */
            environments: string[];
            /** Group */
            group: string;
            /** Icon */
            icon: string;
            /**
             * Kind
             * @enum {string}
             */
            kind: "jupyter" | "web";
            /** Name */
            name: string;
            /** Options */
            options: components["schemas"]["AppOptionOut"][];
            /**
             * Reason
             * @description Why it cannot be started here.
             */
            reason: string | null;
            /** @description What its session gets where nothing is asked for. */
            resources: components["schemas"]["Resources"] | null;
            /** Title */
            title: string;
        };
        /**
         * Ask
         * @description A session asked for: an app in an environment on resources.
         */
        Ask: {
            /** App */
            app: string;
            /** Environment */
            environment?: string | null;
            /**
             * Modules
             * @description Environment modules, loaded on top of the environment.
             */
            modules?: string[];
            /** Name */
            name?: string | null;
            /**
             * Options
             * @description What the app asks, by name.
             */
            options?: {
                [key: string]: string | boolean;
            };
            /** @default {} */
            resources: components["schemas"]["ResourceAsk"];
        };
        /** AuditOut */
        AuditOut: {
            /** Action */
            action: string;
            /** Actor */
            actor: string;
            /** Address */
            address: string;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Detail */
            detail: {
                [key: string]: unknown;
            };
            /** Id */
            id: number;
            /** Result */
            result: string;
            /** Target */
            target: string;
        };
        /** AuditPage */
        AuditPage: {
            /** Items */
            items: components["schemas"]["AuditOut"][];
            /** Next */
            next: number | null;
        };
        /**
         * CheckOut
         * @description A session considered but not started.
         */
        CheckOut: {
            /** Ok */
            ok: boolean;
            /** Problems */
            problems: components["schemas"]["ProblemOut"][];
            resources: components["schemas"]["Resources"] | null;
            /**
             * Starts
             * @enum {string}
             */
            starts: "now" | "later" | "unknown";
            /** Starts Text */
            starts_text: string;
            /** Summary */
            summary: string;
            /**
             * Warnings
             * @description What may be meant, and had better be looked at.
             */
            warnings: components["schemas"]["ProblemOut"][];
        };
        /** ClusterJobDetail */
        ClusterJobDetail: {
            /** Account */
            account: string | null;
            /** Array Job Id */
            array_job_id: number | null;
            /** Array Tasks */
            array_tasks: string;
            /** Cpus */
            cpus: number;
            /** Ends At */
            ends_at: string | null;
            /** Expected Start */
            expected_start: string | null;
            /** Gpu Type */
            gpu_type: string | null;
            /** Gpus */
            gpus: number;
            /** Id */
            id: number;
            /** Line */
            line: number | null;
            /** Memory Mib */
            memory_mib: number | null;
            /** Mine */
            mine: boolean;
            /** Name */
            name: string | null;
            /** Node List */
            node_list: string;
            /** Nodes */
            nodes: number;
            /** Partition */
            partition: string;
            /** Places */
            places: components["schemas"]["PlaceOut"][];
            /** Position */
            position: number | null;
            /** Priority */
            priority: number;
            /** Qos */
            qos: string;
            /** Reason */
            reason: string;
            /** Reason Code */
            reason_code: string;
            /** Reservation */
            reservation: string;
            /** Started At */
            started_at: string | null;
            /** State */
            state: string;
            /** Submitted At */
            submitted_at: string | null;
            /** Time Limit S */
            time_limit_s: number | null;
            /** User */
            user: string | null;
        };
        /**
         * ClusterJobOut
         * @description One job. What the reader may not see of another's (`user`, `account`, `name`) is null.
         */
        ClusterJobOut: {
            /** Account */
            account: string | null;
            /** Array Job Id */
            array_job_id: number | null;
            /** Array Tasks */
            array_tasks: string;
            /** Cpus */
            cpus: number;
            /** Ends At */
            ends_at: string | null;
            /** Expected Start */
            expected_start: string | null;
            /** Gpu Type */
            gpu_type: string | null;
            /** Gpus */
            gpus: number;
            /** Id */
            id: number;
            /** Line */
            line: number | null;
            /** Memory Mib */
            memory_mib: number | null;
            /** Mine */
            mine: boolean;
            /** Name */
            name: string | null;
            /** Node List */
            node_list: string;
            /** Nodes */
            nodes: number;
            /** Partition */
            partition: string;
            /** Position */
            position: number | null;
            /** Priority */
            priority: number;
            /** Qos */
            qos: string;
            /** Reason */
            reason: string;
            /** Reason Code */
            reason_code: string;
            /** Reservation */
            reservation: string;
            /** Started At */
            started_at: string | null;
            /** State */
            state: string;
            /** Submitted At */
            submitted_at: string | null;
            /** Time Limit S */
            time_limit_s: number | null;
            /** User */
            user: string | null;
        };
        /** ClusterJobsOut */
        ClusterJobsOut: {
            /** As Of */
            as_of: string | null;
            /** Items */
            items: components["schemas"]["ClusterJobOut"][];
            /** Mine */
            mine: number;
            queue: components["schemas"]["QueueBrief"];
            /** Total */
            total: number;
        };
        /** CpuCounts */
        CpuCounts: {
            /** Free */
            free: number;
            /** Total */
            total: number;
        };
        /** DefaultsOut */
        DefaultsOut: {
            /** App */
            app: string;
            /** Environment */
            environment: string | null;
            resources: components["schemas"]["Resources"] | null;
        };
        /**
         * EndOut
         * @description How a session ended: a stable code, a sentence, and what to do next.
         */
        EndOut: {
            /** Advice */
            advice: string | null;
            /** Code */
            code: string;
            /** Exit Code */
            exit_code: number | null;
            /** Text */
            text: string;
        };
        /** EnvironmentBrief */
        EnvironmentBrief: {
            /** Description */
            description: string;
            /** Installable */
            installable: boolean;
            /** Installed */
            installed: boolean;
            /**
             * Kind
             * @default path
             * @enum {string}
             */
            kind: "path" | "modules" | "image";
            /** Name */
            name: string;
            /**
             * Own
             * @description Whether it is an image of mine.
             * @default false
             */
            own: boolean;
            /**
             * Reason
             * @description Why sessions cannot use it now.
             */
            reason?: string | null;
            /** Size Mb */
            size_mb: number;
            /** Title */
            title: string;
            /** Version */
            version: string;
        };
        /** EnvironmentOut */
        EnvironmentOut: {
            /** Description */
            description: string;
            /**
             * Installable
             * @description Whether the portal can install it.
             */
            installable: boolean;
            /**
             * Installed
             * @description Whether sessions can use it now; true also while a newer one is installed.
             */
            installed: boolean;
            /**
             * Kind
             * @default path
             * @enum {string}
             */
            kind: "path" | "modules" | "image";
            /** Message */
            message: string;
            /** Name */
            name: string;
            /**
             * Own
             * @description Whether it is an image of mine.
             * @default false
             */
            own: boolean;
            /** Progress */
            progress: number;
            /**
             * Reason
             * @description Why sessions cannot use it now.
             */
            reason?: string | null;
            /** Size Mb */
            size_mb: number;
            /** @description How the last installation stands. */
            state: components["schemas"]["State"];
            /** Title */
            title: string;
            /** Version */
            version: string;
        };
        /** EnvironmentPage */
        EnvironmentPage: {
            /** Items */
            items: components["schemas"]["EnvironmentOut"][];
        };
        /** FileEntry */
        FileEntry: {
            kind: components["schemas"]["portal__files__types__Kind"];
            /** Modified */
            modified: string | null;
            /** Name */
            name: string;
            /**
             * Size
             * @description Bytes.
             */
            size: number;
        };
        /**
         * FilesOut
         * @description A path; of a folder, what is in it.
         */
        FilesOut: {
            /** Entries */
            entries: components["schemas"]["FileEntry"][];
            kind: components["schemas"]["portal__files__types__Kind"];
            /**
             * Path
             * @description As it was asked for.
             */
            path: string;
            /**
             * Truncated
             * @description Whether the folder holds more than is listed.
             */
            truncated: boolean;
        };
        /** GpuKindOut */
        GpuKindOut: {
            /** Count */
            count: number;
            /** Type */
            type: string;
        };
        /** GpuPoolOut */
        GpuPoolOut: {
            /** Down */
            down: number;
            /** Free */
            free: number;
            /** Most Free On A Node */
            most_free_on_a_node: number;
            /** Total */
            total: number;
            /** Type */
            type: string;
        };
        /** GpuUse */
        GpuUse: {
            /** Index */
            index: number;
            /** Memory Total Mib */
            memory_total_mib?: number | null;
            /** Memory Used Mib */
            memory_used_mib?: number | null;
            /**
             * Name
             * @default
             */
            name: string;
            /**
             * Utilization
             * @description Percent of the last sample period.
             */
            utilization?: number | null;
        };
        /**
         * HistoryOut
         * @description The totals over a span; where nothing could be read there is no point.
         */
        HistoryOut: {
            /** Items */
            items: components["schemas"]["TotalsOut"][];
            /**
             * Since
             * Format: date-time
             */
            since: string;
            /**
             * Span
             * @enum {string}
             */
            span: "hour" | "day" | "week" | "month";
            /** Step S */
            step_s: number;
        };
        /** HTTPValidationError */
        HTTPValidationError: {
            /** Detail */
            detail?: components["schemas"]["ValidationError"][];
        };
        /**
         * ImageBrief
         * @description The container image a session runs in, for later reproduction.
         */
        ImageBrief: {
            /** Digest */
            digest: string | null;
            /** Path */
            path: string;
            /** Reference */
            reference: string | null;
        };
        /**
         * Kind
         * @enum {string}
         */
        "Kind-Input": "notice" | "maintenance";
        /**
         * KindOut
         * @description What nodes of one make have in common.
         */
        KindOut: {
            /** Cpus */
            cpus: number;
            /** Features */
            features: string[];
            /** Gpus */
            gpus: components["schemas"]["GpuKindOut"][];
            /** Memory Mib */
            memory_mib: number;
            /** Partitions */
            partitions: string[];
        };
        /**
         * LogOut
         * @description A piece of a session's log; offsets in bytes.
         */
        LogOut: {
            /** Next Offset */
            next_offset: number;
            /** Offset */
            offset: number;
            /** Size */
            size: number;
            /** Text */
            text: string;
        };
        /** Me */
        Me: {
            /** Admin */
            admin: boolean;
            /** Csrf Token */
            csrf_token: string | null;
            /** Display Name */
            display_name: string;
            /** Groups */
            groups: string[];
            /** Username */
            username: string;
        };
        /**
         * ModuleOut
         * @description One module: `name/version` is what a session names, or the name alone where there are no versions.
         */
        ModuleOut: {
            /**
             * Default
             * @description The version that the name alone stands for.
             */
            default: string | null;
            /** Description */
            description: string;
            /** Name */
            name: string;
            /**
             * Versions
             * @description Newest first.
             */
            versions: string[];
        };
        /** ModulePage */
        ModulePage: {
            /**
             * As Of
             * @description When the list was read; null while it has not been, or is not kept.
             */
            as_of: string | null;
            /** Items */
            items: components["schemas"]["ModuleOut"][];
        };
        /** MountOut */
        MountOut: {
            /** Name */
            name: string;
            /** Title */
            title: string;
        };
        /** NodeCounts */
        NodeCounts: {
            /** Total */
            total: number;
            /** Up */
            up: number;
        };
        /**
         * NodeDetail
         * @description One node with everything that is known of it.
         */
        NodeDetail: {
            /** As Of */
            as_of: string | null;
            /** Cpus */
            cpus: number;
            /** Cpus Total */
            cpus_total: number;
            /** Features */
            features: string[];
            /** Gpus */
            gpus: string;
            /** Jobs */
            jobs: components["schemas"]["NodeJobOut"][];
            /** Kind */
            kind: number;
            /** Load */
            load: number | null;
            /** Memory Mib */
            memory_mib: number;
            /** Memory Total Mib */
            memory_total_mib: number;
            /** Name */
            name: string;
            /** Partitions */
            partitions: string[];
            /** Pools */
            pools: components["schemas"]["GpuPoolOut"][];
            /**
             * Reason
             * @default
             */
            reason: string;
            /** Slurm State */
            slurm_state: string;
            /**
             * State
             * @enum {string}
             */
            state: "idle" | "mixed" | "full" | "draining" | "drained" | "down" | "reserved" | "maintenance" | "asleep";
            /** Version */
            version: string;
        };
        /**
         * NodeJobOut
         * @description A job on a node, and which of the node's GPUs it holds; `letter` stands for it in the node's row.
         */
        NodeJobOut: {
            /** Gpus */
            gpus: number[];
            job: components["schemas"]["ClusterJobOut"];
            /** Letter */
            letter: string | null;
            /** Sure */
            sure: boolean;
        };
        /**
         * NodeRow
         * @description One node. `gpus` has a character for each: a letter for each job of the node, `.` free, `?` used unaccounted.
         */
        NodeRow: {
            /** Cpus */
            cpus: number;
            /** Gpus */
            gpus: string;
            /** Kind */
            kind: number;
            /** Memory Mib */
            memory_mib: number;
            /** Name */
            name: string;
            /**
             * Reason
             * @default
             */
            reason: string;
            /**
             * State
             * @enum {string}
             */
            state: "idle" | "mixed" | "full" | "draining" | "drained" | "down" | "reserved" | "maintenance" | "asleep";
        };
        /** OpenIn */
        OpenIn: {
            /**
             * Session
             * @description Id of a session of yours that is ready.
             */
            session: string;
        };
        /** OpenOut */
        OpenOut: {
            /**
             * Url
             * @description Path that shows the notebook in that session.
             */
            url: string;
        };
        /**
         * OptionsOut
         * @description Everything the form of a new session needs, for this user, now.
         */
        OptionsOut: {
            /** Accounts */
            accounts: components["schemas"]["AccountOut"][];
            /** Apps */
            apps: components["schemas"]["AppOut"][];
            /** As Of */
            as_of: string | null;
            defaults: components["schemas"]["DefaultsOut"];
            /** Environments */
            environments: components["schemas"]["EnvironmentBrief"][];
            /** Gpus */
            gpus: components["schemas"]["GpuPoolOut"][];
            /** Partitions */
            partitions: components["schemas"]["PartitionOut"][];
            policy: components["schemas"]["PolicyOut"];
        };
        /** PartitionOut */
        PartitionOut: {
            /** Available */
            available: boolean;
            cpus: components["schemas"]["CpuCounts"];
            /** Default */
            default: boolean;
            /** Default Walltime S */
            default_walltime_s: number | null;
            /** Gpus */
            gpus: components["schemas"]["GpuPoolOut"][];
            /** Max Walltime S */
            max_walltime_s: number | null;
            /** Name */
            name: string;
            nodes: components["schemas"]["NodeCounts"];
            per_node: components["schemas"]["PerNode"];
            /** Reason */
            reason: string | null;
        };
        /**
         * PerNode
         * @description The most one node of the partition has.
         */
        PerNode: {
            /** Cpus */
            cpus: number;
            /** Gpus */
            gpus: number;
            /** Memory Mib */
            memory_mib: number;
        };
        /**
         * PictureOut
         * @description All nodes. `GET /cluster/events?after=version` goes on from here.
         */
        PictureOut: {
            /** As Of */
            as_of: string | null;
            /**
             * Group By
             * @enum {string}
             */
            group_by: "partition" | "rack";
            /** Kinds */
            kinds: components["schemas"]["KindOut"][];
            /** Nodes */
            nodes: components["schemas"]["NodeRow"][];
            queue: components["schemas"]["QueueBrief"];
            /** Rack Feature */
            rack_feature: string;
            /** Version */
            version: string;
        };
        /** PlaceOut */
        PlaceOut: {
            /** Gpus */
            gpus: number[];
            /** Node */
            node: string;
            /** Sure */
            sure: boolean;
        };
        /** PolicyOut */
        PolicyOut: {
            /** Cpu Only Cpus */
            cpu_only_cpus: number;
            /** Cpu Only Memory Mib */
            cpu_only_memory_mib: number;
            /** Cpus Per Gpu */
            cpus_per_gpu: number;
            /** Gpus In Use */
            gpus_in_use: number;
            /** Max Gpus */
            max_gpus: number;
            /** Max Nodes */
            max_nodes: number;
            /** Max Sessions */
            max_sessions: number;
            /** Max Walltime S */
            max_walltime_s: number;
            /** Memory Mib Per Gpu */
            memory_mib_per_gpu: number;
            /** Sessions In Use */
            sessions_in_use: number;
        };
        /**
         * Kind
         * @enum {string}
         */
        portal__announcements__models__Kind: "notice" | "maintenance";
        /**
         * Kind
         * @enum {string}
         */
        portal__files__types__Kind: "file" | "folder" | "other" | "missing";
        /** ProblemOut */
        ProblemOut: {
            /** Field */
            field: string;
            /** Message */
            message: string;
        };
        /**
         * QueueBrief
         * @description `version` is another one whenever the queue is.
         */
        QueueBrief: {
            /** Running */
            running: number;
            /** Version */
            version: number;
            /** Waiting */
            waiting: number;
        };
        /**
         * QueueOut
         * @description Place in line among the pending jobs of the partition, by Slurm's priority.
         */
        QueueOut: {
            /** Expected Start */
            expected_start: string | null;
            /** Of */
            of: number;
            /** Position */
            position: number;
        };
        /**
         * ResourceAsk
         * @description Resources asked for; policy fills what is left out. Cores, memory (MiB) and GPUs are per node.
         */
        ResourceAsk: {
            /** Account */
            account?: string | null;
            /** Cpus */
            cpus?: number | null;
            /** Gpu Type */
            gpu_type?: string | null;
            /** Gpus */
            gpus?: number | null;
            /** Memory Mib */
            memory_mib?: number | null;
            /** Nodes */
            nodes?: number | null;
            /** Partition */
            partition?: string | null;
            /** Qos */
            qos?: string | null;
            /** Reservation */
            reservation?: string | null;
            /** Walltime S */
            walltime_s?: number | null;
        };
        /**
         * Resources
         * @description What a session gets: every value decided.
         */
        Resources: {
            /** Account */
            account: string | null;
            /** Cpus */
            cpus: number;
            /** Gpu Type */
            gpu_type: string | null;
            /** Gpus */
            gpus: number;
            /** Memory Mib */
            memory_mib: number;
            /** Nodes */
            nodes: number;
            /** Partition */
            partition: string;
            /** Qos */
            qos: string | null;
            /** Reservation */
            reservation: string | null;
            /** Walltime S */
            walltime_s: number;
        };
        /** SessionOut */
        SessionOut: {
            /** App */
            app: string;
            /** App Title */
            app_title: string;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            end: components["schemas"]["EndOut"] | null;
            /** Ended At */
            ended_at: string | null;
            /** Ends At */
            ends_at: string | null;
            /** Environment */
            environment: string;
            /** Environment Title */
            environment_title: string;
            /**
             * Environment Version
             * @description As it was when the session was asked for.
             */
            environment_version: string | null;
            /** Id */
            id: string;
            image: components["schemas"]["ImageBrief"] | null;
            /** Job Id */
            job_id: number | null;
            /** Modules */
            modules: string[];
            /** Name */
            name: string;
            /** Node */
            node: string | null;
            /**
             * Options
             * @description What was said to the app's options.
             */
            options: {
                [key: string]: string | boolean;
            };
            /** Owner */
            owner: string;
            /** Progress */
            progress: number;
            queue: components["schemas"]["QueueOut"] | null;
            /** Queued At */
            queued_at: string | null;
            /** Ready At */
            ready_at: string | null;
            /**
             * Reason
             * @description Why it waits, or how it ended, in words.
             */
            reason: string | null;
            /**
             * Reason Code
             * @description Slurm's own word for it.
             */
            reason_code: string | null;
            resources: components["schemas"]["Resources"];
            /** Server Name */
            server_name: string;
            /** Started At */
            started_at: string | null;
            state: components["schemas"]["SessionState"];
            /**
             * Url
             * @description Path to open; set when the session is ready.
             */
            url: string | null;
            usage: components["schemas"]["UsageOut"] | null;
        };
        /** SessionPage */
        SessionPage: {
            /**
             * As Of
             * @description Age of the picture of Slurm behind it.
             */
            as_of: string | null;
            /** Items */
            items: components["schemas"]["SessionOut"][];
            /**
             * Next
             * @description Pass as `before` for the next page; null at the end.
             */
            next: string | null;
        };
        /**
         * SessionState
         * @enum {string}
         */
        SessionState: "submitted" | "queued" | "allocated" | "starting" | "ready" | "stopping" | "ended";
        /** SiteOut */
        SiteOut: {
            /** Hub Url */
            hub_url: string;
            /** Mounts */
            mounts: components["schemas"]["MountOut"][];
            /** Name */
            name: string;
            slurm: components["schemas"]["SlurmOut"];
            /** Support */
            support: string;
            /** Version */
            version: string;
        };
        /**
         * SlurmOut
         * @description Whether Slurm answers, since when, and how old the picture is.
         */
        SlurmOut: {
            /** As Of */
            as_of: string | null;
            /** Message */
            message: string | null;
            /** Since */
            since: string | null;
            /** State */
            state: string;
        };
        /**
         * State
         * @enum {string}
         */
        State: "absent" | "installing" | "installed" | "failed";
        /** TemplateOut */
        TemplateOut: {
            /**
             * Available
             * @description Whether that environment is installed.
             */
            available: boolean;
            /** Data */
            data: string;
            /** Description */
            description: string;
            /**
             * Environment
             * @description Its kernel's environment; null: the one that serves Jupyter.
             */
            environment: string | null;
            /** Environment Title */
            environment_title: string | null;
            /**
             * File
             * @description Path in the user's folder `templates`.
             */
            file: string;
            /** Framework */
            framework: string;
            /** Gpus */
            gpus: number;
            /** Id */
            id: string;
            /** Minutes Cpu */
            minutes_cpu: number | null;
            /** Minutes Gpu */
            minutes_gpu: number | null;
            /** Task */
            task: string;
            /** Tested */
            tested: string;
            /** Title */
            title: string;
            /** Versions */
            versions: string;
        };
        /** TemplatePage */
        TemplatePage: {
            /** Items */
            items: components["schemas"]["TemplateOut"][];
        };
        /**
         * TotalsOut
         * @description One moment: of each, how many there are, are in use, and cannot be used.
         */
        TotalsOut: {
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Cpus */
            cpus: number;
            /** Cpus Down */
            cpus_down: number;
            /** Cpus Used */
            cpus_used: number;
            /** Gpus */
            gpus: number;
            /** Gpus Down */
            gpus_down: number;
            /** Gpus Used */
            gpus_used: number;
            /** Jobs Running */
            jobs_running: number;
            /** Jobs Waiting */
            jobs_waiting: number;
            /** Memory Down Mib */
            memory_down_mib: number;
            /** Memory Mib */
            memory_mib: number;
            /** Memory Used Mib */
            memory_used_mib: number;
        };
        /**
         * UsageOut
         * @description Measured use of a running session; CPU in percent of one core.
         */
        UsageOut: {
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Cpu Percent */
            cpu_percent: number | null;
            /** Gpus */
            gpus: components["schemas"]["GpuUse"][];
            /** Memory Mib */
            memory_mib: number | null;
        };
        /** ValidationError */
        ValidationError: {
            /** Context */
            ctx?: Record<string, never>;
            /** Input */
            input?: unknown;
            /** Location */
            loc: (string | number)[];
            /** Message */
            msg: string;
            /** Error Type */
            type: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    rows_services_portal_api_admin_announcements_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnnouncementRows"];
                };
            };
        };
    };
    make_services_portal_api_admin_announcements_post: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnnouncementIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnnouncementRow"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
        };
    };
    change_services_portal_api_admin_announcements__announcement_id__put: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                announcement_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnnouncementIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnnouncementRow"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
        };
    };
    end_services_portal_api_admin_announcements__announcement_id__delete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                announcement_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnnouncementRow"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
        };
    };
    affected_services_portal_api_admin_announcements_affected_post: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnnouncementIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AffectedList"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
        };
    };
    shown_services_portal_api_announcements_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnnouncementList"];
                };
            };
        };
    };
    page_services_portal_api_audit_get: {
        parameters: {
            query?: {
                action?: string | null;
                actor?: string | null;
                before?: number | null;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditPage"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
        };
    };
    picture_services_portal_api_cluster_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PictureOut"];
                };
            };
        };
    };
    changes_services_portal_api_cluster_events_get: {
        parameters: {
            query?: {
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
        };
    };
    history_services_portal_api_cluster_history_get: {
        parameters: {
            query?: {
                span?: "hour" | "day" | "week" | "month";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryOut"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
        };
    };
    jobs_services_portal_api_cluster_jobs_get: {
        parameters: {
            query?: {
                gpu_type?: string;
                limit?: number;
                /** @description Jobs that run on this node, whatever `state` says. */
                node?: string;
                /** @description Jobs of this user. */
                of?: string;
                offset?: number;
                /** @description Only the caller's. */
                own?: boolean;
                partition?: string;
                /** @description Part of a number, name, user, account or node. */
                query?: string;
                state?: "active" | "running" | "waiting" | "ended";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClusterJobsOut"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
        };
    };
    job_services_portal_api_cluster_jobs__job_id__get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                job_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClusterJobDetail"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
        };
    };
    node_services_portal_api_cluster_nodes__name__get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NodeDetail"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
        };
    };
    page_services_portal_api_environments_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnvironmentPage"];
                };
            };
        };
    };
    install_services_portal_api_environments__name__install_post: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnvironmentOut"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
        };
    };
    events_services_portal_api_events_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    files_services_portal_api_files_get: {
        parameters: {
            query?: {
                limit?: number;
                path?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FilesOut"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
        };
    };
    me_services_portal_api_me_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
        };
    };
    page_services_portal_api_modules_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModulePage"];
                };
            };
        };
    };
    options_services_portal_api_options_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OptionsOut"];
                };
            };
        };
    };
    page_services_portal_api_sessions_get: {
        parameters: {
            query?: {
                before?: string | null;
                limit?: number;
                state?: "active" | "ended" | "all";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionPage"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
        };
    };
    start_services_portal_api_sessions_post: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Ask"];
            };
        };
        responses: {
            /** @description Successful Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionOut"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
        };
    };
    show_services_portal_api_sessions__session_id__get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionOut"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
        };
    };
    stop_services_portal_api_sessions__session_id__delete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionOut"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
        };
    };
    events_services_portal_api_sessions__session_id__events_get: {
        parameters: {
            query?: {
                after?: number;
            };
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
        };
    };
    log_services_portal_api_sessions__session_id__log_get: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogOut"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
        };
    };
    check_services_portal_api_sessions_check_post: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Ask"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckOut"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
        };
    };
    site_services_portal_api_site_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SiteOut"];
                };
            };
        };
    };
    page_services_portal_api_templates_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplatePage"];
                };
            };
        };
    };
    open_in_session_services_portal_api_templates__template_id__open_post: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                template_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OpenIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenOut"];
                };
            };
            /** @description Validation Error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
        };
    };
}
